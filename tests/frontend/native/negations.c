// Conditions that negate: the values that meet after a branch must come from the right side.
#include <stdio.h>

volatile int zero, one = 1;

static int pick(int n) { int r = 10; if (!n) r = 20; return r; }
static int pick_not_zero(int n) { int r = 10; if (n != 0) r = 20; return r; }
static int both(int a, int b) { return !(a && b) ? a - b : a + b; }
static int until(int n) { int steps = 0; while (!(n == 0)) { n /= 2; steps++; } return steps; }
static int never(int n) { int r = 1; do { r += n; } while (!one); return r; }

int main(void) {
    printf("%d %d %d %d\n", pick(zero), pick(one), pick_not_zero(zero), pick_not_zero(one));
    printf("%d %d %d\n", both(one, zero), both(one, one), both(zero, zero));
    printf("%d %d %d %d\n", until(zero), until(one), until(37), never(4));
    for (int i = 3; i; i--) printf("%d%s", i, !(i - 1) ? "\n" : ",");
    return 0;
}
