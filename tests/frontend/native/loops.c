// Loops of all kinds, with several variables that change places.
#include <stdio.h>

int main(void) {
    int a = 0, b = 1, c = 2;
    for (int i = 0; i < 7; i++) { int t = a; a = b; b = c; c = t + i; }
    printf("%d %d %d\n", a, b, c);
    int x = 48, y = 36;
    while (y) { int t = x % y; x = y; y = t; }
    printf("%d\n", x);
    int n = 27, steps = 0;
    do { n = n % 2 ? 3 * n + 1 : n / 2; steps++; } while (n != 1);
    printf("%d\n", steps);
    for (int i = 0; i < 20; i++) {
        if (i % 3 == 0) continue;
        if (i > 11) break;
        printf("%d,", i);
    }
    int p = 1, q = 2;
    for (int i = 0; i < 5; i++) { int t = p; p = q; q = t; }
    printf("\n%d %d\n", p, q);
    return 0;
}
