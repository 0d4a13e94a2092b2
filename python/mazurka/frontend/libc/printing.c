// printf and its kin, into memory or from a va_list (C11 7.21.6.1); calls of printf itself are lowered directly.
// Where C does not fix the text (addresses, NaN, null strings), it is that of the GNU library.
#include "decimal.h"
#include <errno.h>
#include <limits.h>

typedef struct file FILE;

// Refused by name: these are not defined.
void __mazurka_printf_directive(void);
void __mazurka_other_file(void);

struct output {
  char *to; // or NULL: what the program prints
  size_t room, length;
  char waiting[8];
};

static void flush(struct output *output) {
  unsigned count = output->length % 8;
  for (unsigned at = 0; at < count; at++)
    printf("%c", output->waiting[at]);
}

static void put(struct output *output, char value) {
  size_t at = output->length++;
  if (output->to) {
    if (at < output->room)
      output->to[at] = value;
    return;
  }
  char *w = output->waiting;
  w[at % 8] = value;
  if (at % 8 == 7)
    printf("%c%c%c%c%c%c%c%c", w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
}

static void repeat(struct output *output, char value, int count) {
  for (; count > 0; count--)
    put(output, value);
}

struct directive {
  int left, plus, blank, alternate, zero;
  int width, precision; // a precision that is missing is negative
  char size;            // 'H' for hh, 'q' for ll
  char conversion;
  const char *prefix; // sign and base of a number
};

// Padding, prefix and leading zeros of something that is so long.
static void begin(struct output *output, const struct directive *how, int zeros, int length) {
  int prefix = strlen(how->prefix), pad = how->width - prefix - zeros - length;
  if (!how->left && !how->zero)
    repeat(output, ' ', pad);
  for (const char *at = how->prefix; *at; at++)
    put(output, *at);
  if (!how->left && how->zero)
    repeat(output, '0', pad);
  repeat(output, '0', zeros);
}

static void end(struct output *output, const struct directive *how, size_t start) {
  if (how->left)
    repeat(output, ' ', how->width - (int)(output->length - start));
}

static void put_text(struct output *output, struct directive *how, const char *text, int length) {
  size_t start = output->length;
  how->zero = 0;
  begin(output, how, 0, length);
  for (int at = 0; at < length; at++)
    put(output, text[at]);
  end(output, how, start);
}

static void put_integer(struct output *output, struct directive *how, uint64_t value) {
  unsigned base = how->conversion == 'o' ? 8 : how->conversion == 'x' || how->conversion == 'X' ? 16 : 10;
  const char *known = how->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  char digits[24];
  int count = 0;
  size_t start = output->length;
  for (uint64_t rest = value; rest; rest /= base)
    digits[count++] = known[rest % base];
  int least = how->precision < 0 ? 1 : how->precision, zeros = least > count ? least - count : 0;
  if (how->alternate && base == 8 && zeros == 0)
    zeros = 1;
  if (how->alternate && base == 16 && value)
    how->prefix = how->conversion == 'X' ? "0X" : "0x";
  if (how->precision >= 0)
    how->zero = 0;
  begin(output, how, zeros, count);
  while (count > 0)
    put(output, digits[--count]);
  end(output, how, start);
}

static int digit_at(const struct decimal *number, int at) {
  return '0' + (at >= 0 && at < number->count ? number->digits[at] : 0);
}

static void put_fixed(struct output *output, struct directive *how, const struct decimal *number, int places) {
  int before = number->count && number->exponent >= 0 ? number->exponent : 0, has_point = places > 0 || how->alternate;
  begin(output, how, 0, before + 1 + has_point + places);
  for (int at = -before; at <= places; at++) {
    put(output, digit_at(number, number->exponent + at));
    if (at == 0 && has_point)
      put(output, '.');
  }
}

static void put_exponential(struct output *output, struct directive *how, const struct decimal *number, int places) {
  int exponent = number->count ? number->exponent : 0, size = exponent < 0 ? -exponent : exponent;
  int has_point = places > 0 || how->alternate;
  begin(output, how, 0, 1 + has_point + places + (size < 100 ? 4 : 5));
  for (int at = 0; at <= places; at++) {
    put(output, digit_at(number, at));
    if (at == 0 && has_point)
      put(output, '.');
  }
  put(output, how->conversion & ('a' ^ 'A') ? 'e' : 'E');
  put(output, exponent < 0 ? '-' : '+');
  if (size >= 100)
    put(output, '0' + size / 100);
  put(output, '0' + size / 10 % 10);
  put(output, '0' + size % 10);
}

// %a: the first digit is 0 for numbers that are too small to have a full fraction.
static void put_hexadecimal(struct output *output, struct directive *how, uint64_t bits) {
  static const char *const prefixes[2][4] = {{"0x", "-0x", "+0x", " 0x"}, {"0X", "-0X", "+0X", " 0X"}};
  int is_upper = how->conversion == 'A', power = bits >> 52 & 0x7ff, places = 13;
  const char *known = is_upper ? "0123456789ABCDEF" : "0123456789abcdef";
  uint64_t value = bits & ((1ull << 52) - 1);
  value |= power ? 1ull << 52 : 0;
  power = value ? (power ? power : 1) - 1023 : 0;
  how->prefix = prefixes[is_upper][*how->prefix == '-' ? 1 : *how->prefix == '+' ? 2 : *how->prefix == ' ' ? 3 : 0];
  if (how->precision >= 0 && how->precision < 13) {
    uint64_t unit = 1ull << 4 * (13 - how->precision), rest = value % unit;
    value -= rest;
    if (rest > unit / 2 || (rest == unit / 2 && value / unit % 2))
      value += unit;
  }
  if (how->precision >= 0)
    places = how->precision;
  else
    while (places > 0 && (value >> 4 * (13 - places) & 15) == 0)
      places--;
  int has_point = places > 0 || how->alternate, size = power < 0 ? -power : power;
  int digits = size < 10 ? 1 : size < 100 ? 2 : size < 1000 ? 3 : 4;
  begin(output, how, 0, 1 + has_point + places + 2 + digits);
  put(output, '0' + (value >> 52));
  if (has_point)
    put(output, '.');
  for (int at = 1; at <= places; at++)
    put(output, at > 13 ? '0' : known[value >> 4 * (13 - at) & 15]);
  put(output, is_upper ? 'P' : 'p');
  put(output, power < 0 ? '-' : '+');
  for (int unit = digits == 4 ? 1000 : digits == 3 ? 100 : digits == 2 ? 10 : 1; unit; unit /= 10)
    put(output, '0' + size / unit % 10);
}

static void put_float(struct output *output, struct directive *how, double number) {
  uint64_t bits = __builtin_bit_cast(uint64_t, number);
  int is_upper = !(how->conversion & ('a' ^ 'A')), kind = how->conversion | ('a' ^ 'A');
  how->prefix = bits >> 63 ? "-" : how->plus ? "+" : how->blank ? " " : "";
  size_t start = output->length;
  bits &= ~0ull >> 1;
  if (bits >= 0x7ffull << 52) {
    int is_infinite = bits == 0x7ffull << 52;
    put_text(output, how, is_infinite ? (is_upper ? "INF" : "inf") : (is_upper ? "NAN" : "nan"), 3);
    return;
  }
  if (kind == 'a')
    put_hexadecimal(output, how, bits);
  else {
    struct decimal decimal;
    int places = how->precision < 0 ? 6 : how->precision;
    to_decimal(__builtin_bit_cast(double, bits), &decimal);
    if (kind == 'f') {
      round_decimal(&decimal, decimal.exponent + 1 + places);
      put_fixed(output, how, &decimal, places);
    } else if (kind == 'e') {
      round_decimal(&decimal, places + 1);
      put_exponential(output, how, &decimal, places);
    } else {
      int wanted = places ? places : 1;
      round_decimal(&decimal, wanted);
      int exponent = decimal.count ? decimal.exponent : 0, digits = decimal.count ? decimal.count : 1;
      if (how->alternate || digits > wanted)
        digits = wanted;
      int is_fixed = exponent >= -4 && exponent < wanted;
      places = is_fixed ? digits - 1 - exponent : digits - 1;
      places = places > 0 ? places : 0;
      if (is_fixed)
        put_fixed(output, how, &decimal, places);
      else
        put_exponential(output, how, &decimal, places);
    }
  }
  end(output, how, start);
}

static int64_t sized(char size, int64_t value) {
  return size == 'H' ? (signed char)value : size == 'h' ? (short)value : size ? value : (int)value;
}

static uint64_t mask_of(char size) { return size == 'H' ? 0xff : size == 'h' ? 0xffff : size ? ~0ull : 0xffffffff; }

static int number(const char **format, int star) {
  int value = 0;
  if (**format == '*') {
    ++*format;
    return star;
  }
  for (; **format >= '0' && **format <= '9'; ++*format)
    value = value * 10 + **format - '0';
  return value;
}

static void print(struct output *output, const char *format, va_list arguments) {
  for (; *format; format++) {
    if (*format != '%') {
      put(output, *format);
      continue;
    }
    struct directive how = {.precision = -1, .prefix = ""};
    for (format++;; format++) {
      char flag = *format;
      if (flag == '-')
        how.left = 1;
      else if (flag == '+')
        how.plus = 1;
      else if (flag == ' ')
        how.blank = 1;
      else if (flag == '#')
        how.alternate = 1;
      else if (flag == '0')
        how.zero = 1;
      else
        break;
    }
    how.width = number(&format, *format == '*' ? va_arg(arguments, int) : 0);
    if (how.width < 0) {
      how.left = 1;
      how.width = -how.width;
    }
    if (*format == '.') {
      format++;
      if (*format == '-') { // counts as missing
        format++;
        number(&format, 0);
      } else
        how.precision = number(&format, *format == '*' ? va_arg(arguments, int) : 0);
    }
    if (*format && strchr("hljztL", *format)) {
      how.size = *format++;
      if (*format == how.size && (how.size == 'h' || how.size == 'l')) {
        how.size = how.size == 'h' ? 'H' : 'q';
        format++;
      }
    }
    how.conversion = *format;
    switch (how.conversion) {
    case '%': put(output, '%'); break;
    case 'd':
    case 'i': {
      int64_t value = sized(how.size, how.size && how.size != 'h' && how.size != 'H' ? va_arg(arguments, long)
                                                                                    : va_arg(arguments, int));
      how.prefix = value < 0 ? "-" : how.plus ? "+" : how.blank ? " " : "";
      put_integer(output, &how, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
      break;
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      uint64_t value = how.size && how.size != 'h' && how.size != 'H' ? va_arg(arguments, unsigned long)
                                                                      : va_arg(arguments, unsigned);
      put_integer(output, &how, value & mask_of(how.size));
      break;
    }
    case 'c': {
      char value = va_arg(arguments, int);
      if (how.size)
        __mazurka_printf_directive();
      put_text(output, &how, &value, 1);
      break;
    }
    case 's': {
      const char *text = va_arg(arguments, const char *);
      size_t most = how.precision < 0 ? INT_MAX : how.precision;
      if (how.size)
        __mazurka_printf_directive();
      if (!text)
        text = most >= 6 ? "(null)" : "";
      put_text(output, &how, text, strnlen(text, most));
      break;
    }
    case 'p': {
      void *value = va_arg(arguments, void *);
      if (value) {
        how.alternate = 1;
        how.conversion = 'x';
        put_integer(output, &how, (uintptr_t)value);
      } else
        put_text(output, &how, "(nil)", 5);
      break;
    }
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      if (how.size == 'L')
        __mazurka_printf_directive();
      put_float(output, &how, va_arg(arguments, double));
      break;
    default: __mazurka_printf_directive();
    }
  }
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments) {
  char none;
  struct output output = {size ? to : &none, size ? size - 1 : 0};
  print(&output, format, arguments);
  if (size)
    to[output.length < size ? output.length : size - 1] = 0;
  return output.length;
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  return vsnprintf(to, size, format, arguments);
}

int vsprintf(char *restrict to, const char *restrict format, va_list arguments) {
  return vsnprintf(to, SIZE_MAX, format, arguments);
}

int sprintf(char *restrict to, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  return vsnprintf(to, SIZE_MAX, format, arguments);
}

int vasprintf(char **restrict to, const char *restrict format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  char *text = malloc((size_t)length + 1);
  if (!text)
    return -1;
  *to = text;
  return vsnprintf(text, (size_t)length + 1, format, arguments);
}

int asprintf(char **restrict to, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  return vasprintf(to, format, arguments);
}

int vprintf(const char *restrict format, va_list arguments) {
  struct output output = {NULL};
  print(&output, format, arguments);
  flush(&output);
  return output.length;
}

int vfprintf(FILE *restrict file, const char *restrict format, va_list arguments) {
  (void)file; // standard output or error: no other one can be opened
  return vprintf(format, arguments);
}

static void require_standard(int file) {
  if (file != 1 && file != 2)
    __mazurka_other_file();
}

int vdprintf(int file, const char *restrict format, va_list arguments) {
  require_standard(file);
  return vprintf(format, arguments);
}

int dprintf(int file, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  return vdprintf(file, format, arguments);
}

static void write_all(const char *from, size_t size) {
  struct output output = {NULL};
  while (size--)
    put(&output, *from++);
  flush(&output);
}

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict file) {
  (void)file;
  write_all(from, size * count);
  return size ? count : 0;
}

size_t fwrite_unlocked(const void *restrict from, size_t size, size_t count, FILE *restrict file) {
  return fwrite(from, size, count, file);
}

long write(int file, const void *from, size_t size) {
  require_standard(file);
  write_all(from, size);
  return size;
}
