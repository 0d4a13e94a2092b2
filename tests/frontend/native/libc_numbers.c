// Numbers from texts, and the rest of stdlib.h that computes.
#define _GNU_SOURCE
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const whole[] = {
    "0", "12", "  -7x", "+9", "0x1F", "0X", "0xg", "077", "08", "-0", "", " ", "-", "zz", "Zz9", "\t\n\v\f\r 5",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "-1", "99999999999999999999999", "-99999999999999999999999",
    "0b101", "0b2",
};
static const char *const real[] = {
    "0", "-0", "0.1", "1e308", "1.7976931348623157e308", "1.7976931348623159e308", "1e309", "5e-324",
    "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308", "2.2250738585072014e-308",
    "123456789012345678901234567890", "-3.5xyz", "  inf", "-Infinity", "infinit", "nan", "nan(_)z", "nan(",
    "0x1.8p3", "0x.8", "0x1p-1074", "0x1.fffffffffffff8p1023", "0x1fffffffffffff8", "0x1fffffffffffffg", "0x", "0x.p1",
    "1e-400", "1e99999", "1e-99999", "-.5e1", ".", "1e+", "9007199254740993", "00000.0000e5", "1.e2", "+.25e-2e7",
    "9007199254740992.99999999999999999999999999999", "1.00000005960464477539062501", "3.4028235677973366e38",
    "1e-45", "7e-46", "1.1754943e-38", "16777217", "16777219", "1e23", "8.5e22", "6.8985846e-8",
    "4.35", "299792458", "2.718281828459045235360287", "1e-5", "1234.5678e-50", "1e22", "1e21e", "5e-1",
};

static void bits(double x) {
  union { double number; uint64_t bits; } as = {x};
  printf("%016" PRIx64 "\n", as.bits);
}

static int digits(const void *a, const void *b) { return *(const int *)a % 10 - *(const int *)b % 10; }
static int numbers(const void *a, const void *b) { return (*(int *)a > *(int *)b) - (*(int *)a < *(int *)b); }
struct pair { short key; char name[4]; };
static int pairs(const void *a, const void *b) { return ((const struct pair *)a)->key - ((const struct pair *)b)->key; }
static int words(const void *a, const void *b) { return **(const char *const *)a - **(const char *const *)b; }

static int by_distance(const void *a, const void *b, void *from) {
  return abs(*(const int *)a - *(int *)from) - abs(*(const int *)b - *(int *)from);
}

int main(void) {
  int near[] = {9, 1, 4, 25, 16}, from = 11;
  qsort_r(near, 5, sizeof *near, by_distance, &from);
  printf("%d %d %d %d %d\n", near[0], near[1], near[2], near[3], near[4]);
  for (unsigned i = 0; i < sizeof whole / sizeof *whole; i++) {
    const char *s = whole[i];
    for (int base = 0; base < 38; base += base == 0 ? 2 : base == 2 ? 6 : base == 8 ? 2 : base == 10 ? 6 : 20) {
      char *end = NULL;
      errno = 0;
      printf("%ld ", strtol(s, &end, base)), printf("%ld %d\n", (long)(end - s), errno), errno = 0;
      printf("%lu ", strtoul(s, &end, base)), printf("%ld %d\n", (long)(end - s), errno), errno = 0;
      printf("%lld ", strtoll(s, NULL, base)), printf("%llu %d\n", strtoull(s, NULL, base), errno);
      printf("%jd %ju\n", strtoimax(s, NULL, base), strtoumax(s, NULL, base));
    }
    printf("%d %ld %lld\n", atoi(s), atol(s), atoll(s));
  }
  for (unsigned i = 0; i < sizeof real / sizeof *real; i++) {
    char *end;
    errno = 0;
    bits(strtod(real[i], &end)), printf("%ld %d\n", (long)(end - real[i]), errno), errno = 0;
    bits(strtof(real[i], &end)), printf("%ld %d\n", (long)(end - real[i]), errno);
    bits(atof(real[i]));
  }
  int list[40], same[7] = {7, 17, 27, 3, 13, 5, 5};
  for (int i = 0; i < 40; i++)
    list[i] = i * i * 7919 % 1009 - 300;
  for (int count = 0; count <= 40; count += 13) {
    qsort(list, count, sizeof *list, numbers);
    for (int i = 0; i < 40; i++)
      printf("%d ", list[i]);
    int *found = bsearch(&list[count / 2], list, count, sizeof *list, numbers), missing = 12345;
    printf("%ld %d\n", count ? (long)(found - list) : -1, bsearch(&missing, list, count, sizeof *list, numbers) == NULL);
  }
  qsort(same, 7, sizeof *same, digits);
  for (int i = 0; i < 7; i++)
    printf("%d ", same[i] % 10);
  struct pair table[] = {{5, "e"}, {-2, "b"}, {9, "i"}, {0, "c"}, {-7, "a"}, {3, "d"}};
  qsort(table, 6, sizeof *table, pairs);
  for (int i = 0; i < 6; i++)
    printf("%d%c ", table[i].key, table[i].name[0]);
  const char *names[] = {"pear", "fig", "apple", "kiwi"};
  qsort(names, 4, sizeof *names, words);
  printf("%c%c%c%c\n", *names[0], *names[1], *names[2], *names[3]);
  div_t a = div(-17, 5);
  ldiv_t b = ldiv(17, -5);
  lldiv_t c = lldiv(-17, -5);
  printf("%d %d %ld %ld %lld %lld %d %ld %lld %jd\n", a.quot, a.rem, b.quot, b.rem, c.quot, c.rem, abs(-3), labs(-4),
         llabs(-5), imaxabs(-6));
  int *array = reallocarray(NULL, 3, sizeof *array);
  array[2] = 8;
  errno = 0;
  printf("%d %d %d\n", array[2], reallocarray(array, (size_t)-1, 16) == NULL, errno);
  free(array);
}
