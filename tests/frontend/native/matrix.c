// Floating-point loops: a matrix product and Newton's method.
#include <stdio.h>

static double a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, b[3][3] = {{2, 0, 1}, {1, 3, 0}, {0, 1, 1}};

int main(void) {
    double c[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) c[i][j] += a[i][k] * b[k][j];
    for (int i = 0; i < 3; i++) printf("%.1f %.1f %.1f\n", c[i][0], c[i][1], c[i][2]);
    double x = 1;
    for (int i = 0; i < 8; i++) x = (x + 2 / x) / 2;
    float h = 0;
    for (int i = 1; i <= 20; i++) h += 1.0f / i;
    printf("%.12f %.6f\n", x, h);
    long n = (long)(x * 1e6);
    unsigned char u = (unsigned char)(h * 10);
    printf("%ld %u %d\n", n, u, x > 1.414 && x < 1.415);
    return 0;
}
