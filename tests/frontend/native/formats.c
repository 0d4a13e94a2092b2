// printf formats, puts, putchar and fprintf.
#include <inttypes.h>
#include <stdio.h>

int main(void) {
    printf("%5d|%-5d|%05d|%+d|% d\n", 42, 42, 42, 42, 42);
    printf("%x %X %#x %o %u %c %%\n", 255, 255, 255, 8, 4000000000u, 'q');
    printf("%ld %lu %lld %zu %hd %hhd\n", -5L, 5UL, -6LL, sizeof(int), (short)-7, (signed char)-8);
    printf("%8.3f|%-8.2f|%e|%g\n", 3.14159, 2.5, 12345.678, 0.0001);
    printf("%s %10s %-10s|%.2s\n", "str", "right", "left", "cut");
    printf("%*d %" PRId64 " %" PRIx32 "\n", 6, 7, (int64_t)-1, (uint32_t)48879);
    puts("a line");
    putchar('x');
    putchar('\n');
    fprintf(stdout, "%d to stdout\n", 1);
    fputs("last\n", stdout);
    return 0;
}
