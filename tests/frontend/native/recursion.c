// Recursion, mutual and deep, with arrays in frames.
#include <stdio.h>

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static void permute(int *items, int at, int count) {
    int saved[4];
    for (int i = 0; i < count; i++) saved[i] = items[i];
    if (at == count) {
        for (int i = 0; i < count; i++) printf("%d", items[i]);
        printf(" ");
        return;
    }
    for (int i = at; i < count; i++) {
        int t = items[at]; items[at] = items[i]; items[i] = t;
        permute(items, at + 1, count);
        for (int k = 0; k < count; k++) items[k] = saved[k];
    }
}

int main(void) {
    int items[3] = {1, 2, 3};
    printf("%d %d %d %d\n", fib(12), even(20), odd(20), ackermann(2, 3));
    permute(items, 0, 3);
    printf("\n");
    return 0;
}
