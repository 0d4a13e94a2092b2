// Integers of 128 bits: arithmetic, shifts, comparisons, conversions, and atomic accesses.
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

typedef unsigned __int128 wide;
typedef __int128 signed_wide;
struct pair { void *pointer; size_t tag; };
static _Atomic wide shared;
static wide plain;
static _Atomic struct pair head;
static struct pair other;
static const wide constant = (wide)5 << 64 | 7;
static struct { wide number; int after; } first = {(wide)3 << 64 | 4, 9}, second;
static unsigned long long state = 88172645463325252;

static unsigned long long next(void) { state ^= state << 13; state ^= state >> 7; return state ^= state << 17; }
static wide random_wide(void) { wide high = next(); return high << 64 | next(); }
static wide either(int condition, wide a, wide b) { return condition ? a : b; }

static void show(const char *what, wide value)
{
    printf("%s %llx %llx\n", what, (unsigned long long)(value >> 64), (unsigned long long)value);
}

static void arithmetic(wide a, wide b, int by)
{
    show("add", a + b); show("sub", a - b); show("neg", -a);
    show("and", a & b); show("or", a | b); show("xor", a ^ b); show("not", ~a);
    show("shl", a << by); show("shr", a >> by); show("sar", (wide)((signed_wide)a >> by));
    show("3", a << 3); show("3", a >> 3); show("3", (wide)((signed_wide)a >> 3));
    show("64", a << 64); show("64", a >> 64); show("64", (wide)((signed_wide)a >> 64));
    show("70", a << 70); show("70", a >> 70); show("70", (wide)((signed_wide)a >> 70));
    show("127", a << 127); show("127", a >> 127); show("127", (wide)((signed_wide)a >> 127));
    wide divisor = b >> by | 1;
    show("quotient", a / divisor); show("remainder", a % divisor); show("whole", a / (b | 1));
    show("quotient", (wide)((signed_wide)a / (signed_wide)divisor));
    show("remainder", (wide)((signed_wide)a % (signed_wide)divisor));
    show("quotient", (wide)((signed_wide)(a >> 64) / -(signed_wide)(divisor >> 64 | 1)));
    printf("%d%d%d%d%d%d", a < b, a <= b, a > b, a >= b, a == b, a != b);
    signed_wide c = a, d = b;
    printf("%d%d%d%d\n", c < d, c <= d, c > d, c >= d);
}

static void conversions(wide a, wide b)
{
    show("int", (signed_wide)(int)a); show("long", (signed_wide)(long)b); show("unsigned", (unsigned)a);
    printf("%d %u %hd %d\n", (int)a, (unsigned)(a >> 40), (short)b, (_Bool)(a >> 100));
    unsigned _BitInt(100) small = (unsigned _BitInt(100))a + 3;
    show("bits", small << 5); show("bits", small >> 66);
    _BitInt(100) negative = (_BitInt(100))a >> 70;
    show("bits", (signed_wide)(negative / ((_BitInt(100))b >> 50 | 1))); show("bits", small / 12345);
    show("bits", (signed_wide)negative); printf("%d\n", negative < (_BitInt(100))b);
    show("either", either(a > b, a, b));
    wide array[2] = {a, b};
    show("element", array[a & 1]);
    second = first; show("copy", second.number); first.number = a; show("constant", constant);
}

static void accesses(wide a, wide b)
{
    atomic_store(&shared, a); show("load", atomic_load(&shared));
    show("exchange", atomic_exchange(&shared, b)); show("add", atomic_fetch_add(&shared, a));
    show("sub", atomic_fetch_sub(&shared, b)); show("xor", atomic_fetch_xor(&shared, b));
    show("or", atomic_fetch_or(&shared, a)); show("and", atomic_fetch_and(&shared, b));
    wide expected = a;
    for (int i = 0; i < 2; i++) printf("%d\n", atomic_compare_exchange_strong(&shared, &expected, b));
    show("found", expected); shared += 5; shared++; show("now", shared);
    plain = a; show("old", __sync_val_compare_and_swap(&plain, a, b));
    printf("%d\n", __sync_bool_compare_and_swap(&plain, a, a)); show("plain", plain);
    struct pair x = {&shared, 1}, y = {&plain, 2};
    atomic_store(&head, x); x = atomic_load(&head); printf("%d %zu\n", x.pointer == &shared, x.tag);
    printf("%d\n", atomic_compare_exchange_strong(&head, &x, y)); x = atomic_exchange(&head, x);
    printf("%d %zu\n", x.pointer == &plain, x.tag);
    __atomic_store(&other, &y, __ATOMIC_SEQ_CST); __atomic_exchange(&other, &x, &y, __ATOMIC_SEQ_CST);
    printf("%zu\n", y.tag);
}

int main(void)
{
    for (int i = 0; i < 12; i++) {
        wide a = random_wide(), b = random_wide();
        if (i % 5 == 0) b = a;
        if (i % 4 == 1) b = a + (i & 2) - 1;
        if (i % 6 == 2) a = next();
        arithmetic(a, b, next() % 128); conversions(a, b); accesses(a, b);
    }
    for (wide i = 0; i < 3; i++) show("round", i);
    return 0;
}
