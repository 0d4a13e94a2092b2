// Library functions, aliases and absent weak functions through pointers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int absent(int) __attribute__((weak));
extern int missing __attribute__((weak));
static int own(int x) {
    return x + 1;
}
extern int other(int) __attribute__((alias("own")));

struct methods {
    void *(*get)(size_t);
    void (*drop)(void *);
    int (*print)(const char *, ...);
    int (*compare)(const char *, const char *);
    double (*root)(double);
};
static const struct methods table = {malloc, free, printf, strcmp, sqrt};

int main(void) {
    char *p = table.get(8);
    void *(*copy)(void *, const void *, size_t) = memcpy;
    copy(p, "abc", 4);
    table.print("%s %d\n", "text", table.compare(p, "abd") < 0);
    table.print("%.3f\n", table.root(2));
    table.drop(p);
    int (*line)(const char *) = puts;
    line("a line");
    printf("%d %d %d %d\n", absent == 0, &missing == 0, other == own, other(4));
    if (absent)
        absent(1);
    int (*size)(int) = abs;
    printf("%d\n", size(-5));
    return 0;
}
