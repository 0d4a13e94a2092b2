// math.h: what is exact or the nearest number.
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static void show(double x) {
  union { double number; uint64_t bits; } as = {x};
  printf("%016lx %.17g\n", (unsigned long)(x != x ? 0 : as.bits), x != x ? 0 : x);
}

int main(void) {
  const double v[] = {0, -0.0, 1, -1, 2, 0.5, 2.5, -2.5, 3.5, 1e300, -1e-310, 5e-324, 1.0 / 3, 1e15 + 0.5,
                      INFINITY, -INFINITY, NAN, 7.25, 100, 10, -3};
  const int n = sizeof v / sizeof *v;
  for (int i = 0; i < n; i++) {
    double x = v[i], w;
    float f = x, wf;
    int e = 0, ef = 0;
    show(fabs(x)), show(floor(x)), show(ceil(x)), show(trunc(x)), show(round(x)), show(x < 0 ? 0 : sqrt(x));
    show(rint(x)), show(nearbyint(x)), show(frexp(x, &e)), show(frexpf(f, &ef)), show(modf(x, &w)), show(w);
    show(ldexpf(f, -3)), show(modff(f, &wf)), show(wf), printf("%d %d\n", isfinite(x) ? e : 0, isfinite(x) ? ef : 0);
    show(ldexp(x, 5)), show(ldexp(x, -1060)), show(scalbn(x, 1020)), show(scalbln(x, -40)), show(nextafter(x, 1));
    show(fabsf(f)), show(floorf(f)), show(ceilf(f)), show(rintf(f)), show(nearbyintf(f)), show(roundf(f)), show(truncf(f));
    if (fabs(x) < 1e18)
      printf("%ld %ld %lld %lld\n", lround(x), lrint(x), llround(x), llrint(x));
    printf("%d %d %d %d\n", isnan(x) != 0, isinf(x) != 0, signbit(x) != 0, fpclassify(x) == FP_NORMAL);
    for (int j = 0; j < n; j++) {
      double y = v[j];
      show(fmod(x, y)), show(fdim(x, y)), show(fdimf(f, y)), show(copysign(x, y)), show(fmodf(f, y));
      if (x != 0 || y != 0) // of two zeros either may be the result
        show(fmin(x, y)), show(fmax(x, y)), show(fminf(f, y)), show(fmaxf(f, y));
      if (y == rint(y) && fabs(y) < 1e6)
        show(pow(x, y)), show(powf(f, y));
    }
  }
  show(pow(1.1, 100)), show(pow(3, -5)), show(pow(0.7, 1000)), show(pow(1.0000001, -54321)), show(pow(10, 22));
  show(pow(10, 308)), show(pow(7, 0.5)), show(pow(2, -1074)), show(pow(-2, 63)), show(pow(2, 1024));
}
