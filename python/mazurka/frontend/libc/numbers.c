// Whole numbers from texts: strtol and its kin. The headers call those of C23, which know binary numbers, __isoc23_strtol.
#include "own.h"
#include <errno.h>
#include <limits.h>

enum dialect { C11, C23 };

static int is_space(char value) { return value == ' ' || (value >= '\t' && value <= '\r'); }

static unsigned digit(char value) {
  if (value >= '0' && value <= '9')
    return value - '0';
  value |= 'a' ^ 'A';
  return value >= 'a' && value <= 'z' ? value - 'a' + 10 : UINT_MAX;
}

// A number with a sign: its size is at most 'most', or 'most_negative' with a minus. A larger one becomes the limit.
static unsigned long parse(
    const char *text, char **end, int base, unsigned long most, unsigned long most_negative, enum dialect dialect) {
  const char *at = text;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return 0;
  }
  while (is_space(*at))
    at++;
  int minus = *at == '-';
  if (minus || *at == '+')
    at++;
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] | ('a' ^ 'A')) == 'x' && digit(at[2]) < 16) {
    at += 2;
    base = 16;
  } else if (dialect == C23 && (base == 0 || base == 2) && at[0] == '0' && (at[1] | ('a' ^ 'A')) == 'b' && digit(at[2]) < 2) {
    at += 2;
    base = 2;
  } else if (base == 0)
    base = *at == '0' ? 8 : 10;
  unsigned long limit = minus ? most_negative : most, value = 0;
  int is_number = 0, is_too_large = 0;
  for (unsigned next; (next = digit(*at)) < (unsigned)base; at++) {
    unsigned long larger;
    is_number = 1;
    if (__builtin_mul_overflow(value, (unsigned long)base, &larger) || __builtin_add_overflow(larger, next, &larger) ||
        larger > limit)
      is_too_large = 1;
    else
      value = larger;
  }
  if (end)
    *end = (char *)(is_number ? at : text);
  if (is_too_large) {
    errno = ERANGE;
    return minus && most == ULONG_MAX ? ULONG_MAX : minus ? -limit : limit;
  }
  return minus ? -value : value;
}

static long parse_signed(const char *text, char **end, int base, enum dialect dialect) {
  return parse(text, end, base, LONG_MAX, 0ul - LONG_MIN, dialect);
}

static unsigned long parse_unsigned(const char *text, char **end, int base, enum dialect dialect) {
  return parse(text, end, base, ULONG_MAX, ULONG_MAX, dialect);
}

long strtol(const char *restrict text, char **restrict end, int base) { return parse_signed(text, end, base, C11); }

long __isoc23_strtol(const char *restrict text, char **restrict end, int base) {
  return parse_signed(text, end, base, C23);
}

long long strtoll(const char *restrict text, char **restrict end, int base) {
  return parse_signed(text, end, base, C11);
}

long long __isoc23_strtoll(const char *restrict text, char **restrict end, int base) {
  return parse_signed(text, end, base, C23);
}

intmax_t strtoimax(const char *restrict text, char **restrict end, int base) {
  return parse_signed(text, end, base, C11);
}

intmax_t __isoc23_strtoimax(const char *restrict text, char **restrict end, int base) {
  return parse_signed(text, end, base, C23);
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
  return parse_unsigned(text, end, base, C11);
}

unsigned long __isoc23_strtoul(const char *restrict text, char **restrict end, int base) {
  return parse_unsigned(text, end, base, C23);
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base) {
  return parse_unsigned(text, end, base, C11);
}

unsigned long long __isoc23_strtoull(const char *restrict text, char **restrict end, int base) {
  return parse_unsigned(text, end, base, C23);
}

uintmax_t strtoumax(const char *restrict text, char **restrict end, int base) {
  return parse_unsigned(text, end, base, C11);
}

uintmax_t __isoc23_strtoumax(const char *restrict text, char **restrict end, int base) {
  return parse_unsigned(text, end, base, C23);
}

int atoi(const char *text) { return parse_signed(text, NULL, 10, C11); }

long atol(const char *text) { return parse_signed(text, NULL, 10, C11); }

long long atoll(const char *text) { return parse_signed(text, NULL, 10, C11); }
