// Locals whose address is taken, variable-length arrays, compound literals, static locals.
#include <stdio.h>

static void bump(int *p) { ++*p; }
static int sum(int n, const int *a) { int s = 0; while (n--) s += a[n]; return s; }
static int *remember(int *p) { static int *last; int *old = last; last = p; return old ? old : p; }

static int squares(int n) {
    int values[n];
    for (int i = 0; i < n; i++) values[i] = i * i;
    return sum(n, values);
}

int main(void) {
    int a = 1, b = 2;
    bump(&a);
    { int a = 50; bump(&a); b += a; }
    printf("%d %d %d\n", a, b, sum(3, (int[]){4, 5, 6}));
    printf("%d %d\n", squares(5), squares(3));
    int *r = remember(&a);
    remember(&b);
    *r = 8;
    printf("%d %d\n", a, *remember(&b));
    return 0;
}
