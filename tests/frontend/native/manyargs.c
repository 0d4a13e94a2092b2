// Many parameters, many results live at once, deep expressions.
#include <stdio.h>

static long many(char a, short b, int c, long d, float e, double f, unsigned g, int *h, long i, int j) {
    return a + 2 * b + 3 * c + 4 * d + (long)(5 * e) + (long)(6 * f) + 7 * g + 8 * *h + 9 * i + 10 * j;
}
static int deep(int a, int b, int c, int d) {
    return ((a + b) * (c - d) ^ (a - c) * (b + d)) + ((a * b - c * d) << 2 | (a ^ d)) - ((a & b) | (c & d));
}

int main(void) {
    int h = 3;
    printf("%ld\n", many(1, 2, 3, 4, 5.5f, 6.25, 7, &h, -9, 10));
    for (int i = 0; i < 4; i++) printf("%d ", deep(i, i * 3 - 7, 12 - i, i * i));
    int v[12], t = 0;
    for (int i = 0; i < 12; i++) v[i] = i ^ 5;
    int a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], k = v[7];
    for (int i = 0; i < 3; i++) { t += a - b; a = b; b = c; c = d; d = e; e = f; f = g; g = k; k = t; }
    printf("\n%d %d %d %d %d %d %d %d %d\n", a, b, c, d, e, f, g, k, t);
    return 0;
}
