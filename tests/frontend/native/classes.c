// Classes of floating-point numbers, and builtins that only hand on their argument.
#include <math.h>
#include <stdio.h>

static void classify(double d, float f) {
    printf("%d %d %d %d %d|", !!isinf(d), !!isnan(d), !!isfinite(d), !!isnormal(d), fpclassify(d));
    printf("%d %d %d %d %d\n", !!isinf(f), !!isnan(f), !!isfinite(f), !!isnormal(f), fpclassify(f));
    printf("%d %d %d\n", __builtin_isinf_sign(d), __builtin_issubnormal(f), __builtin_iszero(d));
    for (int i = 0; i < 10; i++)
        printf("%d", i == 0   ? __builtin_isfpclass(d, 1)
                     : i == 1 ? __builtin_isfpclass(d, 2)
                     : i == 2 ? __builtin_isfpclass(d, 4)
                     : i == 3 ? __builtin_isfpclass(d, 8)
                     : i == 4 ? __builtin_isfpclass(d, 16)
                     : i == 5 ? __builtin_isfpclass(d, 32)
                     : i == 6 ? __builtin_isfpclass(d, 64)
                     : i == 7 ? __builtin_isfpclass(f, 128)
                     : i == 8 ? __builtin_isfpclass(f, 256)
                              : __builtin_isfpclass(f, 512));
    putchar('\n');
}

int main(void) {
    volatile double zero = 0;
    double numbers[] = {0.0, -0.0, 1.5, -2, 1e-310, -1e-310, 1e308, 1 / zero, -1 / zero, zero / zero};
    for (int i = 0; i < 10; i++)
        classify(numbers[i], (float)numbers[i]);
    classify(1e-40, 1e-40f);
    classify(__builtin_nans(""), 3e38f);
    int x = 7;
    printf("%d %d\n", __builtin_annotation(x, "s"), (int)__builtin_copysign(3.0, -zero - 1));
    return 0;
}
