// The digits of a double, all of them: d.ddd... times 10 to the power of 'exponent'.
#include "own.h"

#define MOST_WORDS 90 // of nine digits each: the smallest double has 767 digits
#define BILLION 1000000000u

struct decimal {
  int count, exponent;
  char digits[MOST_WORDS * 9 + 1];
};

static int multiply(uint32_t *words, int count, uint32_t factor) {
  uint64_t carry = 0;
  for (int at = 0; at < count; at++) {
    carry += (uint64_t)words[at] * factor;
    words[at] = carry % BILLION;
    carry /= BILLION;
  }
  for (; carry; carry /= BILLION)
    words[count++] = carry % BILLION;
  return count;
}

// A finite number that is not negative. Below 1 it is a fraction with a power of two as denominator, so times a power
// of ten it is a whole number times a power of five.
static void to_decimal(double number, struct decimal *to) {
  uint64_t bits = __builtin_bit_cast(uint64_t, number), whole = bits & ((1ull << 52) - 1);
  int power = (bits >> 52) - 1075, count = 0;
  uint32_t words[MOST_WORDS];
  if (power == -1075)
    power++;
  else
    whole |= 1ull << 52;
  for (; power < 0 && whole && whole % 2 == 0; power++)
    whole /= 2;
  for (; whole; whole /= BILLION)
    words[count++] = whole % BILLION;
  int places = power < 0 && count ? -power : 0;
  for (int left = power; left > 0; left -= 29)
    count = multiply(words, count, 1u << (left < 29 ? left : 29));
  for (int left = places; left > 0; left--) {
    uint32_t factor = 5;
    for (; left > 1 && factor < 1000000000 / 5; left--)
      factor *= 5;
    count = multiply(words, count, factor);
  }
  to->count = 0;
  for (int at = count - 1; at >= 0; at--)
    for (uint32_t unit = BILLION / 10; unit; unit /= 10) {
      int digit = words[at] / unit % 10;
      if (digit || to->count)
        to->digits[to->count++] = digit;
    }
  to->exponent = to->count ? to->count - 1 - places : 0;
  while (to->count && to->digits[to->count - 1] == 0)
    to->count--;
}

// Keeps so many digits; a number in the middle goes to the even neighbour.
static void round_decimal(struct decimal *number, int kept) {
  if (kept >= number->count)
    return;
  int goes_up = 0;
  if (kept >= 0) {
    int next = number->digits[kept], is_odd = kept > 0 && number->digits[kept - 1] % 2;
    goes_up = next > 5 || (next == 5 && (number->count > kept + 1 || is_odd));
  }
  number->count = kept > 0 ? kept : 0;
  if (goes_up) {
    while (number->count && number->digits[number->count - 1] == 9)
      number->count--;
    if (number->count)
      number->digits[number->count - 1]++;
    else {
      number->digits[number->count++] = 1;
      number->exponent++;
    }
  }
  while (number->count && number->digits[number->count - 1] == 0)
    number->count--;
}
