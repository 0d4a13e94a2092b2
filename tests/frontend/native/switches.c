// switch: dense, sparse, fall-through, negative cases, on long and char.
#include <stdio.h>

static const char *name(int n) {
    switch (n) {
    case 0: return "zero";
    case 1: return "one";
    case -5: return "minus five";
    case 1000000: return "million";
    default: return "other";
    }
}
static int fall(char c) {
    int total = 0;
    switch (c) {
    case 'a': total += 1; /* fall through */
    case 'b': total += 10; break;
    case 'c': total += 100;
    }
    return total;
}
static long wide(unsigned long v) {
    switch (v) {
    case 0xffffffffffffffffUL: return 1;
    case 0x100000000UL: return 2;
    }
    return 3;
}

int main(void) {
    for (int i = -6; i < 3; i++) printf("%s,", name(i));
    printf("%s\n", name(1000000));
    printf("%d %d %d %d\n", fall('a'), fall('b'), fall('c'), fall('d'));
    printf("%ld %ld %ld\n", wide(-1UL), wide(1UL << 32), wide(0));
    return 0;
}
