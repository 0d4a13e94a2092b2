// Sorting, searching and whole numbers: stdlib.h.
#include "own.h"
#include <errno.h>

typedef struct { int quotient, remainder; } div_t;
typedef struct { long quotient, remainder; } ldiv_t;
typedef struct { long long quotient, remainder; } lldiv_t;
typedef int comparison(const void *, const void *);
typedef int comparison_with(const void *, const void *, void *);

// Structs, which may be copied where they have no value: padding, or members that are not in use.
typedef struct { uint64_t bits; } eight;
typedef struct { uint32_t bits; } four;
typedef struct { uint16_t bits; } two;
typedef struct { char bits; } one;

// Elements are exchanged with the accesses that the program itself most likely makes to them.
static void exchange(char *first, char *second, size_t size) {
#define EXCHANGE(part)                                                                                       \
  for (size_t at = 0; at < size; at += sizeof(part)) {                                                       \
    part kept = *(part *)(first + at);                                                                       \
    *(part *)(first + at) = *(part *)(second + at);                                                          \
    *(part *)(second + at) = kept;                                                                           \
  }
  uintptr_t all = (uintptr_t)first | (uintptr_t)second | size;
  if (all % 8 == 0)
    EXCHANGE(eight)
  else if (all % 4 == 0)
    EXCHANGE(four)
  else if (all % 2 == 0)
    EXCHANGE(two)
  else
    EXCHANGE(one)
}

// Moves an element of a heap down to where it belongs. A plain comparison gets an argument that it ignores.
static void sink(char *base, size_t at, size_t count, size_t size, comparison *plain, comparison_with *with, void *more) {
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    char *lower = base + child * size, *place = base + at * size;
    if (child + 1 < count) {
      char *other = lower + size;
      if ((plain ? plain(lower, other) : with(lower, other, more)) < 0) {
        lower = other;
        child++;
      }
    }
    if ((plain ? plain(place, lower) : with(place, lower, more)) >= 0)
      return;
    exchange(place, lower, size);
  }
}

static void sort(char *base, size_t count, size_t size, comparison *plain, comparison_with *with, void *more) {
  for (size_t at = count / 2; at > 0; at--)
    sink(base, at - 1, count, size, plain, with, more);
  for (size_t left = count; left > 1; left--) {
    exchange(base, base + (left - 1) * size, size);
    sink(base, 0, left - 1, size, plain, with, more);
  }
}

void qsort(void *base, size_t count, size_t size, comparison *compare) {
  sort(base, count, size, compare, NULL, NULL);
}

void qsort_r(void *base, size_t count, size_t size, comparison_with *compare, void *more) {
  sort(base, count, size, NULL, compare, more);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, comparison *compare) {
  const char *first = base;
  while (count > 0) {
    const char *middle = first + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0)
      return (void *)middle;
    if (order > 0) {
      first = middle + size;
      count = (count - 1) / 2;
    } else
      count /= 2;
  }
  return NULL;
}

div_t div(int number, int by) { return (div_t){number / by, number % by}; }

ldiv_t ldiv(long number, long by) { return (ldiv_t){number / by, number % by}; }

lldiv_t lldiv(long long number, long long by) { return (lldiv_t){number / by, number % by}; }

void *reallocarray(void *memory, size_t count, size_t size) {
  size_t whole;
  if (__builtin_mul_overflow(count, size, &whole)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(memory, whole);
}
