// Short-circuit logic, conditionals, comma, side effects in order.
#include <stdio.h>

static int calls;
static int yes(int n) { calls = calls * 10 + n; return 1; }
static int no(int n) { calls = calls * 10 + n; return 0; }

int main(void) {
    int r = (yes(1) && no(2)) || yes(3);
    printf("%d %d\n", r, calls);
    calls = 0;
    r = no(1) && yes(2);
    r += !r;
    printf("%d %d\n", r, calls);
    r = yes(4) ? no(5) ? 10 : 20 : 30;
    printf("%d %d\n", r, calls);
    int x = (r = 3, r * 2), y = !!x + !x;
    printf("%d %d %d\n", x, y, x == 6 ? -y : y);
    unsigned char u = 200;
    u += 100;
    signed char s = 127;
    s++;
    printf("%d %d %d\n", u, s, u == 44 && s == -128);
    return 0;
}
