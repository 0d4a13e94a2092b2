// sscanf and its kin (C11 7.21.6.2). Input about which C and the GNU library differ is refused. If it ends before
// anything was assigned, the result is -1 as in the GNU library, even after a directive with a *.
#include "own.h"

#define MOST 128 // characters of a number
enum { MATCHED, MISMATCH, AT_END };

long long strtoll(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
double strtod(const char *, char **);
float strtof(const char *, char **);
// Refused by name: it is not defined.
void __mazurka_scanf_directive(void);

struct directive {
  int suppressed;
  unsigned width; // the most characters
  char size;      // 'H' for hh, 'l' for all that are as long
  char conversion;
  const char *set, *set_end; // of %[
};

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static unsigned digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

// A copy of a part of the input, which ends where no more may be taken.
struct item {
  const char *at;
  unsigned left;
  unsigned length;
  char text[MOST];
};

static int take(struct item *item, char one, char other) {
  if (!item->left || !*item->at || (*item->at != one && *item->at != other))
    return 0;
  if (item->length == MOST - 1)
    __mazurka_scanf_directive();
  item->text[item->length++] = *item->at++;
  item->left--;
  return 1;
}

static int take_digits(struct item *item, unsigned base) {
  int count = 0;
  while (digit(*item->at) < base && take(item, *item->at, *item->at))
    count++;
  return count;
}

// Takes an integer; its base, or 1 if there is none.
static unsigned take_integer(struct item *item, unsigned base) {
  int count = 0;
  take(item, '+', '-');
  if ((base == 0 || base == 16) && take(item, '0', '0')) {
    if (take(item, 'x', 'X'))
      base = 16;
    else
      count = 1;
    base = base ? base : 8;
  }
  base = base ? base : 10;
  int is_prefixed = item->length > 1 && digit(item->text[item->length - 1]) == 33; // an x
  count += take_digits(item, base);
  if (is_prefixed && !count)
    __mazurka_scanf_directive(); // C has no number here, the GNU library has
  item->text[item->length] = 0;
  return count ? base : 1;
}

// Takes a decimal number; whether there is one.
static int take_decimal(struct item *item) {
  take(item, '+', '-');
  if (digit(*item->at) == 18 || digit(*item->at) == 23 || (*item->at == '0' && (item->at[1] | 0x20) == 'x'))
    __mazurka_scanf_directive(); // inf, nan, hexadecimal
  int count = take_digits(item, 10);
  if (take(item, '.', '.'))
    count += take_digits(item, 10);
  if (count && take(item, 'e', 'E')) {
    take(item, '+', '-');
    if (!take_digits(item, 10))
      __mazurka_scanf_directive(); // C has no number here, the GNU library has
  }
  item->text[item->length] = 0;
  return count > 0;
}

static void store(void *to, char size, unsigned long long value) {
  if (size == 'H')
    *(char *)to = value;
  else if (size == 'h')
    *(short *)to = value;
  else if (size == 'l')
    *(long *)to = value;
  else
    *(int *)to = value;
}

static int scan_integer(const char **at, const struct directive *how, void *to) {
  struct item item = {.at = *at, .left = how->width};
  char c = how->conversion;
  unsigned base = take_integer(&item, c == 'd' || c == 'u' ? 10 : c == 'i' ? 0 : c == 'o' ? 8 : 16);
  *at = item.at;
  if (base == 1)
    return *item.at || item.length ? MISMATCH : AT_END;
  int is_signed = c == 'd' || c == 'i';
  if (to)
    store(to, how->size, is_signed ? strtoll(item.text, 0, base) : strtoull(item.text, 0, base));
  return MATCHED;
}

static int scan_float(const char **at, const struct directive *how, void *to) {
  struct item item = {.at = *at, .left = how->width};
  int found = take_decimal(&item);
  *at = item.at;
  if (!found)
    return MISMATCH;
  if (to && how->size == 'l')
    *(double *)to = strtod(item.text, 0);
  else if (to)
    *(float *)to = strtof(item.text, 0);
  return MATCHED;
}

static int is_in_set(const struct directive *how, char c) {
  const char *set = how->set;
  int inverted = *set == '^', found = 0;
  for (set += inverted; set < how->set_end; set++) {
    if (set[1] == '-' && set + 2 < how->set_end) {
      found |= (unsigned char)set[0] <= (unsigned char)c && (unsigned char)c <= (unsigned char)set[2];
      set += 2;
    } else {
      found |= *set == c;
    }
  }
  return found != inverted;
}

static int scan_text(const char **at, const struct directive *how, char *to) {
  unsigned left = how->conversion == 'c' && how->width == -1u ? 1 : how->width, count = 0;
  for (; left && **at; left--, count++, ++*at) {
    if (how->conversion == 's' ? is_space(**at) : how->conversion == '[' && !is_in_set(how, **at))
      break;
    if (to)
      to[count] = **at;
  }
  if (!count)
    return **at ? MISMATCH : AT_END;
  if (how->conversion == 'c' && left)
    __mazurka_scanf_directive(); // C asks for as many as the width says, the GNU library does not
  if (to && how->conversion != 'c')
    to[count] = 0;
  return MATCHED;
}

// Reads a directive behind its %; what follows it.
static const char *directive(const char *format, struct directive *how) {
  *how = (struct directive){.width = -1u};
  if (*format == '*')
    how->suppressed = 1, format++;
  if (*format >= '1' && *format <= '9')
    for (how->width = 0; *format >= '0' && *format <= '9'; format++)
      how->width = how->width * 10 + (*format - '0');
  if (*format == 'h')
    how->size = *++format == 'h' ? format++, 'H' : 'h';
  else if (*format && strchr("ljzt", *format))
    how->size = 'l', format += format[0] == 'l' && format[1] == 'l' ? 2 : 1;
  how->conversion = *format++;
  if (how->conversion == '[') {
    how->set = format;
    format += *format == '^';
    format += *format == ']';
    while (*format && *format != ']')
      format++;
    how->set_end = format;
    if (!*format++)
      __mazurka_scanf_directive();
  }
  if (!how->conversion || !strchr("diuoxXaAeEfFgGsc[n%", how->conversion))
    __mazurka_scanf_directive();
  if (how->size == 'l' && strchr("sc[", how->conversion))
    __mazurka_scanf_directive(); // wide characters
  return format;
}

int vsscanf(const char *restrict text, const char *restrict format, va_list arguments) {
  const char *at = text;
  int count = 0;
  while (*format) {
    struct directive how = {.conversion = '%'};
    char expected = *format;
    if (is_space(expected)) {
      while (is_space(*at))
        at++;
      format++;
      continue;
    }
    format = expected == '%' ? directive(format + 1, &how) : format + 1;
    char c = how.conversion;
    if (c == '%' ? expected == '%' : c != 'c' && c != '[' && c != 'n')
      while (is_space(*at))
        at++;
    int result = MATCHED;
    void *to = c == '%' || how.suppressed ? NULL : va_arg(arguments, void *);
    if (c == 'n') {
      if (to)
        store(to, how.size, at - text);
      continue;
    }
    if (!*at)
      return count ? count : -1;
    if (c == '%')
      result = *at == expected ? at++, MATCHED : MISMATCH;
    else if (strchr("diuoxX", c))
      result = scan_integer(&at, &how, to);
    else if (strchr("sc[", c))
      result = scan_text(&at, &how, to);
    else
      result = scan_float(&at, &how, to);
    if (result != MATCHED)
      return result == AT_END && !count ? -1 : count;
    count += to != NULL;
  }
  return count;
}

int __isoc99_vsscanf(const char *restrict text, const char *restrict format, va_list arguments) {
  return vsscanf(text, format, arguments);
}

int sscanf(const char *restrict text, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

int __isoc99_sscanf(const char *restrict text, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}
