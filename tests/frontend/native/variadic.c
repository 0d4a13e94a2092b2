// Variable arguments of the program's own functions: of all classes, copied, passed on, called through pointers.
#include <stdarg.h>
#include <stdio.h>

struct two { long a, b; };
struct three { long a, b, c; };
struct mixed { double x; int y; };
struct small { char c; short s; };

static int sum(int n, ...)
{
    va_list arguments;
    va_start(arguments, n);
    int total = 0;
    for (int i = 0; i < n; i++)
        total += va_arg(arguments, int);
    va_end(arguments);
    return total;
}

static long peek(va_list arguments)
{
    va_list copy;
    va_copy(copy, arguments);
    long first = va_arg(copy, long);
    va_end(copy);
    return first;
}

static double all_classes(const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    double x = va_arg(arguments, double);
    struct two two = va_arg(arguments, struct two);
    struct three three = va_arg(arguments, struct three);
    struct mixed mixed = va_arg(arguments, struct mixed);
    struct small small = va_arg(arguments, struct small);
    long seen = peek(arguments);
    long again = va_arg(arguments, long);
    const char *text = va_arg(arguments, const char *);
    unsigned char c = va_arg(arguments, int);
    __int128 wide = va_arg(arguments, __int128);
    va_end(arguments);
    printf("%s %ld %ld %s %d %d %d %lx %lx\n", name, seen, again, text, c, small.c, small.s, (long)(wide >> 64), (long)wide);
    return x + two.a + two.b + three.a + three.c + mixed.x + mixed.y;
}

static int no_arguments(int n, ...) { return n + 1; }

static int deep(int n, ...)
{
    va_list arguments;
    va_start(arguments, n);
    int mine = va_arg(arguments, int);
    int inner = n ? deep(n - 1, mine + 1, 99) : 0;
    int next = va_arg(arguments, int);
    va_end(arguments);
    return mine + inner + next;
}

// Calls through pointers that cannot be calls of printf or fprintf, though the program calls these, too.
static int length(int (*into)(char *, size_t, const char *, ...), const char *format, double x)
{
    char text[16];
    int count = into(text, sizeof text, format, x);
    fprintf(stdout, "%d ", count);
    for (int i = 0; i < count; i++)
        putchar(text[i]);
    return count;
}

static double third(char c, ...) { return c / 3.0; }
static struct three triple(char c, ...) { return (struct three) { c, c + 1, c + 2 }; }
static void nothing(char c, ...) { putchar(c); }

static double (*volatile gives_double)(char, ...) = third;
static struct three (*volatile gives_struct)(char, ...) = triple;
static void (*volatile gives_nothing)(char, ...) = nothing;

int main(void)
{
    printf("%d %d %d\n", sum(0), sum(3, 1, 2, 3), sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    int (*through)(int, ...) = sum;
    printf("%d\n", through(2, 40, 2));
    through = no_arguments;
    printf("%d\n", through(4, 5, 6));
    struct two two = { 1, 2 };
    struct three three = { 10, 20, 30 };
    struct mixed mixed = { 0.25, 7 };
    struct small small = { 'x', -5 };
    __int128 wide = ((__int128)0x123456789abcdef << 64) | 0xfedcba;
    printf("%.2f\n", all_classes("all", 1.5, two, three, mixed, small, 77L, "text", 200, wide));
    printf("%d\n", deep(4, 1, 2));
    printf(" %d\n", length(snprintf, "%5.2f", 2.5));
    printf("%.3f %ld\n", gives_double('a'), gives_struct('b', 1, 2.5).c);
    gives_nothing('c', "text");
    putchar('\n');
    return 0;
}
