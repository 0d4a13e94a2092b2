// math.h, as far as the results are exact or the nearest numbers. What is one instruction is lowered directly.
#include "own.h"
#include <errno.h>
#include <limits.h>

// Refused by name: it is not defined.
void __mazurka_pow_exponent(void);

#define ONES (0x7ffull << 52)

static uint64_t bits_of(double x) { return __builtin_bit_cast(uint64_t, x); }

static double from_bits(uint64_t bits) { return __builtin_bit_cast(double, bits); }

static double size_of(double x) { return from_bits(bits_of(x) & ~0ull >> 1); }

static double with_sign(double x, double sign) {
  return from_bits((bits_of(x) & ~0ull >> 1) | (bits_of(sign) & 1ull << 63));
}

static int is_nan(double x) { return x != x; }

static int is_infinite(double x) { return size_of(x) == __builtin_inf(); }

int isnan(double x) { return is_nan(x); }

int isinf(double x) { return is_infinite(x) ? (x < 0 ? -1 : 1) : 0; }

int finite(double x) { return (bits_of(x) & ONES) != ONES; }

int __isnan(double x) { return is_nan(x); }

int __isinf(double x) { return isinf(x); }

int __finite(double x) { return finite(x); }

int __signbit(double x) { return bits_of(x) >> 63; }

double fdim(double x, double y) { return is_nan(x) || is_nan(y) ? x + y : x > y ? x - y : 0; }

float fdimf(float x, float y) { return x != x || y != y ? x + y : x > y ? x - y : 0; }

// The same number as a whole one below 2 to the 53rd, times a power of two.
static uint64_t split(double x, int *power) {
  uint64_t bits = bits_of(x), fraction = bits & ((1ull << 52) - 1);
  int exponent = bits >> 52 & 0x7ff;
  *power = (exponent ? exponent : 1) - 1075;
  return exponent ? fraction | 1ull << 52 : fraction;
}

double ldexp(double x, int power) {
  if (x == 0 || is_nan(x) || is_infinite(x))
    return x;
  int exponent;
  uint64_t whole = split(x, &exponent);
  int up = __builtin_clzll(whole) - 11, dropped = 0;
  whole <<= up;
  long last = (long)exponent - up + power; // the power of two of the last of 53 digits
  if (last > 971) {
    errno = ERANGE;
    return with_sign(__builtin_inf(), x);
  }
  if (last < -1074) {
    dropped = last < -1074 - 54 ? 54 : -1074 - last;
    uint64_t rest = whole & ((1ull << dropped) - 1), half = 1ull << (dropped - 1);
    whole >>= dropped;
    whole += rest > half || (rest == half && whole % 2);
    if (rest)
      errno = ERANGE;
    return with_sign(from_bits(whole), x); // also if it was rounded up to the smallest normal number
  }
  return with_sign(from_bits((uint64_t)(last + 1075) << 52 | (whole & ((1ull << 52) - 1))), x);
}

float ldexpf(float x, int power) { return ldexp(x, power); }

double scalbn(double x, int power) { return ldexp(x, power); }

double scalbln(double x, long power) { return ldexp(x, power > 9999 ? 9999 : power < -9999 ? -9999 : power); }

double frexp(double x, int *power) {
  *power = 0;
  if (x == 0 || is_nan(x) || is_infinite(x))
    return x;
  int exponent;
  uint64_t whole = split(x, &exponent);
  int up = __builtin_clzll(whole) - 11;
  *power = exponent - up + 53;
  return with_sign(from_bits(1022ull << 52 | ((whole << up) & ((1ull << 52) - 1))), x);
}

float frexpf(float x, int *power) { return frexp(x, power); }

double modf(double x, double *whole) {
  *whole = __builtin_trunc(x);
  return with_sign(is_infinite(x) ? 0 : x - *whole, x);
}

float modff(float x, float *whole) {
  double rest, fraction = modf(x, &rest);
  *whole = rest;
  return fraction;
}

double nextafter(double x, double towards) {
  if (is_nan(x) || is_nan(towards))
    return x + towards;
  if (x == towards)
    return towards;
  if (x == 0)
    return with_sign(from_bits(1), towards);
  return from_bits(bits_of(x) + ((x < towards) == (x > 0) ? 1 : -1));
}

// A number as a sum of two, the second of which is at most half a unit of the first, times a power of two.
struct twofold {
  double first, second;
  long power;
};

static struct twofold times(struct twofold a, struct twofold b) {
  double cut = 0x1p27 + 1;
  double a_high = a.first * cut - (a.first * cut - a.first), a_low = a.first - a_high;
  double b_high = b.first * cut - (b.first * cut - b.first), b_low = b.first - b_high;
  double product = a.first * b.first;
  double error = a_high * b_high - product + a_high * b_low + a_low * b_high + a_low * b_low;
  error += a.first * b.second + a.second * b.first;
  double sum = product + error;
  struct twofold result = {sum, error - (sum - product), a.power + b.power};
  if (result.first >= 2) {
    result.first /= 2;
    result.second /= 2;
    result.power++;
  }
  return result;
}

static double powered(double x, unsigned long exponent, int is_inverse) {
  int power;
  struct twofold result = {1}, factor = {2 * frexp(x, &power)};
  factor.power = power - 1;
  for (; exponent; exponent /= 2) {
    if (exponent % 2)
      result = times(result, factor);
    factor = times(factor, factor);
    if (factor.power > 1l << 40 || factor.power < -(1l << 40)) // the result is far too large or small already
      factor.power /= 2;
  }
  if (is_inverse) {
    // The product with an inverse that is nearly right says what is missing.
    double guess = 1 / result.first;
    struct twofold one = times((struct twofold){guess}, (struct twofold){result.first, result.second});
    double missing = (1 - one.first) - one.second;
    result = (struct twofold){guess + missing * guess, 0, -result.power};
  }
  if (result.power > 2000 || result.power < -2000) {
    errno = ERANGE;
    return result.power > 0 ? __builtin_inf() : 0;
  }
  return ldexp(result.first, result.power);
}

double pow(double x, double y) {
  double size = size_of(x), whole = __builtin_trunc(y);
  if (y == 0 || x == 1)
    return 1;
  if (is_nan(x) || is_nan(y))
    return x + y;
  int is_odd = whole == y && size_of(y) < 0x1p53 && (unsigned long)size_of(y) % 2;
  if (is_infinite(y))
    return size == 1 ? 1 : (size > 1) == (y > 0) ? __builtin_inf() : 0;
  if (x == 0 || is_infinite(x)) {
    if (x == 0 && y < 0)
      errno = ERANGE;
    double result = (x == 0) == (y > 0) ? 0 : __builtin_inf();
    return is_odd ? with_sign(result, x) : result;
  }
  if (x < 0 && whole != y) {
    errno = EDOM;
    return -__builtin_nan("");
  }
  if (y == 0.5)
    return __builtin_sqrt(x);
  if (size == 1)
    return is_odd ? x : 1;
  if (whole != y || size_of(y) > 0x1p20)
    __mazurka_pow_exponent();
  double result = powered(size, size_of(y), y < 0);
  return is_odd ? with_sign(result, x) : result;
}

float powf(float x, float y) { return pow(x, y); }
