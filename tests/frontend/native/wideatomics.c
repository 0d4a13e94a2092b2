// Atomic objects of sizes that no instruction has: structs of 12, 24 and 37 bytes.
#include <stdatomic.h>
#include <stdio.h>

struct triple { long a, b, c; };
struct small { int a, b, c; };
struct name { char text[37]; };
static _Atomic struct triple triple;
static struct small small = {4, 5, 6};
static _Atomic struct name name;

static void show(const char *what, struct triple t) { printf("%s %ld %ld %ld\n", what, t.a, t.b, t.c); }

int main(void)
{
    triple = (struct triple){1, 2, 3};
    struct triple seen = triple, expected = {1, 2, 4}, next = {7, 8, 9};
    show("load", seen);
    int done = atomic_compare_exchange_strong(&triple, &expected, next);
    printf("%d\n", done);
    show("expected", expected);
    done = atomic_compare_exchange_strong(&triple, &expected, next);
    printf("%d\n", done);
    show("exchange", atomic_exchange(&triple, seen));
    triple = (struct triple){10, 11, 12};
    show("store", atomic_load_explicit(&triple, memory_order_acquire));

    struct small was, other = {7, 8, 9};
    __atomic_load(&small, &was, __ATOMIC_ACQUIRE);
    printf("%d %d %d\n", was.a, was.b, was.c);
    __atomic_exchange(&small, &other, &was, __ATOMIC_SEQ_CST);
    printf("%d %d %d\n", small.a, small.b, small.c);
    was.c++;
    done = __atomic_compare_exchange(&small, &was, &other, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    printf("%d %d %d %d\n", done, was.a, was.b, was.c);
    other.b = -1;
    __atomic_store(&small, &other, __ATOMIC_RELEASE);
    printf("%d %d %d\n", small.a, small.b, small.c);

    struct name text = {"thirty-seven bytes, with one at the end"};
    text.text[36] = '!';
    name = text;
    struct name again = name;
    for (int i = 0; i < 37; i++)
        putchar(again.text[i]);
    return 0;
}
