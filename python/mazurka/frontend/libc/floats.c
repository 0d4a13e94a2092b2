// Floating-point numbers from texts: strtod and its kin. The result is the nearest number, the even one of two.
#include "own.h"
#include <errno.h>

int strncasecmp(const char *, const char *, size_t);

#define MOST_DIGITS 800 // further ones only say whether the number is a bit larger
#define MOST_WORDS 128
#define FAR 100000 // an exponent that no number of digits makes up for

struct format {
  int digits, lowest, highest; // binary digits; powers of two of the last digit, and of what is too large
};
static const struct format doubles = {53, -1074, 1024}, floats = {24, -149, 128};

struct large {
  int count;
  uint32_t words[MOST_WORDS];
};

static void multiply_add(struct large *number, uint32_t factor, uint32_t more) {
  uint64_t carry = more;
  for (int at = 0; at < number->count; at++, carry >>= 32) {
    carry += (uint64_t)number->words[at] * factor;
    number->words[at] = carry;
  }
  if (carry)
    number->words[number->count++] = carry;
}

static void raise(struct large *number, int tens) {
  for (; tens >= 9; tens -= 9)
    multiply_add(number, 1000000000, 0);
  for (; tens > 0; tens--)
    multiply_add(number, 10, 0);
}

static int length(const struct large *number) {
  return 32 * number->count - __builtin_clz(number->words[number->count - 1]);
}

static void shift(struct large *number, int bits) {
  int whole = bits / 32, rest = bits % 32;
  if (rest)
    multiply_add(number, 1u << rest, 0);
  if (whole) {
    for (int at = number->count - 1; at >= 0; at--)
      number->words[at + whole] = number->words[at];
    for (int at = 0; at < whole; at++)
      number->words[at] = 0;
    number->count += whole;
  }
}

static int is_less(const struct large *first, const struct large *second) {
  if (first->count != second->count)
    return first->count < second->count;
  for (int at = first->count - 1; at >= 0; at--)
    if (first->words[at] != second->words[at])
      return first->words[at] < second->words[at];
  return 0;
}

static void subtract(struct large *from, const struct large *number) {
  int64_t borrow = 0;
  for (int at = 0; at < from->count; at++, borrow >>= 32) {
    borrow += (int64_t)from->words[at] - (at < number->count ? number->words[at] : 0);
    from->words[at] = borrow;
  }
  while (from->count && from->words[from->count - 1] == 0)
    from->count--;
}

// The number nearest to 'whole' times a power of two, or to a bit more.
static double nearest(uint64_t whole, int power, int has_more, const struct format *format) {
  if (!whole)
    return 0;
  int up = __builtin_clzll(whole), dropped = 64 - format->digits;
  whole <<= up;
  power -= up;
  if (power + 63 >= format->highest) {
    errno = ERANGE;
    return __builtin_inf();
  }
  int is_small = power + dropped < format->lowest;
  if (is_small)
    dropped = format->lowest - power;
  uint64_t kept = 0;
  int is_exact = 0;
  if (dropped <= 64) {
    uint64_t rest = dropped == 64 ? whole : whole & ((1ull << dropped) - 1), half = 1ull << (dropped - 1);
    kept = dropped == 64 ? 0 : whole >> dropped;
    kept += rest > half || (rest == half && (has_more || kept % 2));
    is_exact = rest == 0 && !has_more;
  }
  // What was kept has few enough digits that each step is exact.
  double result = kept;
  for (int left = power + dropped; left > 0; left--)
    result *= 2;
  for (int left = power + dropped; left < 0; left++)
    result /= 2;
  if (is_small && !is_exact)
    errno = ERANGE;
  if (format->highest < 1024 && result >= 0x1p128) {
    errno = ERANGE;
    return __builtin_inf();
  }
  if (result == __builtin_inf())
    errno = ERANGE;
  return result;
}

// digits times 10 to a power that is negative: a quotient, found bit by bit.
static double divided(struct large *number, int tens, const struct format *format) {
  struct large by = {1, {1}};
  raise(&by, tens);
  int up = length(&by) - length(number);
  if (up > 0)
    shift(number, up);
  else
    shift(&by, -up);
  if (is_less(number, &by)) {
    shift(number, 1);
    up++;
  }
  uint64_t quotient = 0;
  for (int bit = 0; bit < 64; bit++) {
    quotient *= 2;
    if (!is_less(number, &by)) {
      subtract(number, &by);
      quotient++;
    }
    shift(number, 1);
  }
  return nearest(quotient, -63 - up, number->count > 0, format);
}

static double whole(const struct large *number, const struct format *format) {
  int bits = length(number), skipped = bits > 64 ? bits - 64 : 0, has_more = 0;
  uint64_t top = 0;
  for (int bit = bits - 1; bit >= skipped; bit--)
    top = top * 2 + (number->words[bit / 32] >> bit % 32 & 1);
  for (int bit = 0; bit < skipped; bit++)
    has_more |= number->words[bit / 32] >> bit % 32 & 1;
  return nearest(top, skipped, has_more, format);
}

static int is_space(char value) { return value == ' ' || (value >= '\t' && value <= '\r'); }

static int is_digit(char value) { return value >= '0' && value <= '9'; }

static int hexadecimal_digit(char value) {
  if (is_digit(value))
    return value - '0';
  value |= 'a' ^ 'A';
  return value >= 'a' && value <= 'f' ? value - 'a' + 10 : -1;
}

// The exponent behind a letter, if there is a number; moves behind it.
static int exponent(const char **at, char letter) {
  const char *next = *at + 1;
  int value = 0;
  if ((**at | ('a' ^ 'A')) != letter)
    return 0;
  int minus = *next == '-';
  if (minus || *next == '+')
    next++;
  if (!is_digit(*next))
    return 0;
  for (; is_digit(*next); next++)
    if (value < FAR)
      value = value * 10 + *next - '0';
  *at = next;
  return minus ? -value : value;
}

static double hexadecimal(const char **at, const struct format *format) {
  uint64_t top = 0;
  int power = 0, has_more = 0, has_point = 0;
  for (*at += 2;; ++*at) {
    int digit = hexadecimal_digit(**at);
    if (**at == '.' && !has_point) {
      has_point = 1;
      continue;
    }
    if (digit < 0)
      break;
    if (top >> 60) {
      has_more |= digit != 0;
      power += has_point ? 0 : 4;
    } else {
      top = top * 16 + digit;
      power -= has_point ? 4 : 0;
    }
  }
  return nearest(top, power + exponent(at, 'p'), has_more, format);
}

static double decimal(const char **at, const struct format *format) {
  struct large number = {0};
  int digits = 0, tens = 0, has_point = 0, has_more = 0;
  for (;; ++*at) {
    if (**at == '.' && !has_point) {
      has_point = 1;
      continue;
    }
    if (!is_digit(**at))
      break;
    if (digits == MOST_DIGITS) {
      has_more |= **at != '0';
      tens += !has_point;
    } else {
      multiply_add(&number, 10, **at - '0');
      digits += number.count > 0;
      tens -= has_point;
    }
  }
  tens += exponent(at, 'e');
  if (!number.count)
    return 0;
  if (has_more) {
    multiply_add(&number, 10, 1);
    digits++;
    tens--;
  }
  if (tens + digits > 320 || tens + digits < -360) {
    errno = ERANGE;
    return tens > 0 || tens + digits > 0 ? __builtin_inf() : 0;
  }
  if (tens < 0)
    return divided(&number, -tens, format);
  raise(&number, tens);
  return whole(&number, format);
}

static double parse(const char *text, char **end, const struct format *format) {
  const char *at = text;
  double value = 0;
  while (is_space(*at))
    at++;
  int minus = *at == '-';
  if (minus || *at == '+')
    at++;
  if (strncasecmp(at, "inf", 3) == 0) {
    at += strncasecmp(at, "infinity", 8) == 0 ? 8 : 3;
    value = __builtin_inf();
  } else if (strncasecmp(at, "nan", 3) == 0) {
    at += 3;
    const char *close = at;
    if (*close == '(') {
      do
        close++;
      while (is_digit(*close) || *close == '_' || ((*close | ('a' ^ 'A')) >= 'a' && (*close | ('a' ^ 'A')) <= 'z'));
      if (*close == ')')
        at = close + 1;
    }
    value = __builtin_nan("");
  } else if (at[0] == '0' && (at[1] | ('a' ^ 'A')) == 'x' &&
             hexadecimal_digit(at[2 + (at[2] == '.')]) >= 0)
    value = hexadecimal(&at, format);
  else if (is_digit(at[*at == '.']))
    value = decimal(&at, format);
  else
    at = text;
  if (end)
    *end = (char *)at;
  return minus ? -value : value;
}

double strtod(const char *restrict text, char **restrict end) { return parse(text, end, &doubles); }

float strtof(const char *restrict text, char **restrict end) { return parse(text, end, &floats); }

double atof(const char *text) { return parse(text, NULL, &doubles); }
