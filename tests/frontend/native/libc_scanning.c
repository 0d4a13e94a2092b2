// sscanf: what is assigned, how much is read, and what is returned.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int indirect(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

static void show(const char *text) {
  putchar(' ');
  while (*text)
    putchar(*text++);
}

static void integers(const char *text, const char *format) {
  int a = 77, b = 77, n = -1;
  int count = sscanf(text, format, &a, &b, &n);
  printf("%s|%s: %d, %d %d %d\n", text, format, count, a, b, n);
}

static void texts(const char *text, const char *format) {
  char a[20] = "none", b[20] = "none";
  int count = sscanf(text, format, a, b);
  printf("%s|%s: %d,", text, format, count);
  show(a);
  show(b);
  putchar('\n');
}

static void floats(const char *text) {
  float f = 7;
  double d = 7;
  int n = -1, count = sscanf(text, "%f%lf%n", &f, &d, &n);
  printf("%s: %d, %g %g %d\n", text, count, f, d, n);
}

int main(void) {
  integers("12 34", "%d %d%n");
  integers("  -12+34x", "%d%d%n");
  integers("12,34", "%d,%d%n");
  integers("12 ,34", "%d,%d%n");
  integers("12 ,34", "%d ,%d%n");
  integers("x", "%d%d%n");
  integers("", "%d%d%n");
  integers("   ", "%d%d%n");
  integers("5", "%d%d%n");
  integers("5", "%*d%d%n");
  integers("5 6", "%*d%d");
  integers("123456", "%2d%3d%n");
  integers("0x1f 017", "%i%i%n");
  integers("0x1f 017", "%d%i%n");
  integers("ff 0xAg", "%x%x%n");
  integers("777 8", "%o%o%n");
  integers("-1 4294967295", "%u%u%n");
  integers("50%", "%d%% %n");
  integers("50 %", "%d%%%n");
  integers("a1b2", "a%db%d%n");
  integers("b1", "a%d");
  integers("", "a%d");
  integers("+ 1", "%d%d");
  integers("-", "%d");
  integers("0", "%i%i");
  integers("9 0x", "%d%d%n");
  integers("0x 1", "%1x%d%n");
  texts("hello world", "%s %s");
  texts("hello world", "%3s%s");
  texts("key=value", "%[^=]=%s");
  texts("abc-]x", "%[]a-c-]%s");
  texts("Zz9", "%[A-Z]%[a-z]");
  texts("zz", "%[A-Z]%[a-z]");
  texts("one,two", "%[^,],%[a-z]");
  texts("  x", "%[x]");
  texts("", "%s");
  floats("1.5 2.25e2");
  floats("-.5 +3.");
  floats("1e2x");
  floats("x");
  floats("12");
  floats(". 1");
  char c[4] = "???", h = 1;
  short s = 2;
  long l = 3;
  long long q = 4;
  unsigned char u = 5;
  size_t z = 6;
  printf("%d ", sscanf(" ab", "%c%2c", c, c + 1));
  show(c);
  printf("%d ", sscanf("1 2 3 4 5 6", "%hhd%hd%ld%lld%hhu%zu", &h, &s, &l, &q, &u, &z));
  printf("%d %d %ld %lld %d %zu\n", h, s, l, q, u, z);
  printf("%d ", indirect("7 x", "%hd %c", &s, c));
  printf("%d %c\n", s, c[0]);
  printf("%d %ld\n", sscanf("99999999999", "%ld", &l), l);
  return 0;
}
