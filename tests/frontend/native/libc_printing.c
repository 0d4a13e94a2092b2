// printf and its kin into memory, and from a va_list.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void out(const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  printf("%d\n", vprintf(format, arguments));
  char text[700];
  printf("%d\n", vsnprintf(text, sizeof text, format, again));
  for (int at = 0; text[at]; at++)
    putchar(text[at]);
  va_end(arguments);
}

static int twice(char *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  return vsprintf(to, format, arguments);
}

static char *made(const char *format, ...) {
  va_list arguments;
  char *text;
  va_start(arguments, format);
  vfprintf(stdout, format, arguments);
  va_start(arguments, format);
  vasprintf(&text, format, arguments);
  return text;
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0); // write and dprintf do not wait in a buffer
  out("%d|%5d|%-5d|%05d|%+d|% d|%x|%#X|%#o|%o|%u\n", 1, -2, 3, -4, 5, 6, 255, 255, 8, 0, -1);
  out("%.5d|%8.3d|%-8.3d|%08.3d|%.0d|%#.0o|%#x|%+.2d\n", 42, -42, 42, 42, 0, 0, 0, 7);
  out("%hhd %hd %ld %lld %zu %jd %td %hhu %hx\n", 300, 70000, 1L << 40, 1LL << 50, (size_t)-1, -7L, -8L, -1, -1);
  out("%s|%10s|%-10s|%.2s|%.*s|%*s|%c|%3c|%-3c|%%\n", "abc", "right", "left", "xyz", 1, "one", -6, "star", 'q', 'r', 's');
  out("%s|%.3s|%p|%10p|%p\n", NULL, NULL, NULL, NULL, (void *)0x1234);
  const double numbers[] = {0, -0.0, 1, -1.5, 2.5, 0.5, 3.14159, 12345.678, 0.0001, 0.00001, 1e15, 1e300, 5e-324,
                            1.0 / 3, 123456, 999998.5, 9.9999999, 0.1, 1e22, 1e23, -2.675, __builtin_inf(), -__builtin_nan("")};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    double x = numbers[i];
    out("%f|%e|%g|%a|%.0f|%.0e|%.0g|%.0a|%.3g|%#g|%10.2f|%-12.3e|%+G|% E|%012.4f|%.17g|%A|%.3a|%#.0f\n", x, x, x, x, x, x,
        x, x, x, x, x, x, x, x, x, x, x, x, x);
  }
  char text[64];
  for (int size = 0; size < 9; size += 4) {
    memset(text, 'z', sizeof text);
    printf("%d ", snprintf(text, size, "%d and %s", 42, "more"));
    for (int i = 0; i < 12; i++)
      printf("%02x ", text[i] & 255);
    printf("\n");
  }
  printf("%d\n", snprintf(NULL, 0, "%05.1f", 2.25));
  printf("%d %zu\n", sprintf(text, "%s-%d", "x", 5), strlen(text));
  printf("%d %zu\n", twice(text, "%x", 4096), strlen(text));
  char *first = made("%d<%s>\n", 5, "made"), *second;
  printf("%d %zu %zu\n", asprintf(&second, "%g", 0.25), strlen(first), strlen(second));
  free(first), free(second);
  fputs_unlocked("fputs_unlocked ", stdout), fputc_unlocked('x', stdout), putc_unlocked('y', stdout);
  putchar_unlocked('z'), putc('p', stdout), fputc('q', stdout), puts("puts"), fputs("fputs\n", stdout);
  fprintf(stdout, "%d %d %d\n", ferror(stdout), feof(stdout), fflush(stdout));
  clearerr(stdout), fwrite_unlocked("unlocked\n", 1, 9, stdout);
  printf("%zu\n", fwrite("abc\ndef", 1, 7, stdout));
  printf("%zd %d\n", write(1, "\nwritten\n", 9), dprintf(1, "%d\n", 17));
}
