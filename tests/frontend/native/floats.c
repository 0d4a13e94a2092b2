// float and double: arithmetic, comparisons with NaN, conversions, builtins.
#include <math.h>
#include <stdio.h>

volatile double a = 3.75, b = -1.5;
volatile float f = 0.1f;

int main(void) {
    printf("%f %f %f %f\n", a + b, a - b, a * b, a / b);
    printf("%.9f %.9f\n", f + f, (float)(f * 3.0f));
    printf("%d %d %d %d\n", a < b, a > b, a == a, a != b);
    double nan = (a - a) / (b - b);
    printf("%d %d %d\n", nan == nan, nan != nan, nan < 1.0);
    printf("%d %d %u %ld\n", (int)a, (int)b, (unsigned)a, (long)(b * 1e12));
    printf("%f %f %f\n", (double)(int)-7, (double)(unsigned)-7, (float)16777217);
    printf("%f %f %f %f %f\n", fabs(b), floor(b), ceil(b), trunc(b), sqrt(a * a));
    printf("%e %g %g\n", a * 1e10, a, 1e-7 * a);
    float g = (float)a;
    g += 1;
    g = -g;
    printf("%f %f\n", g, round(2.5));
    return 0;
}
