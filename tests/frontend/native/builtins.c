// Compiler builtins: counting bits, byte order, overflow, rotation, expect.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

volatile uint32_t w = 0x00f0c001;
volatile uint64_t v = 0x0123456789abcdefUL;
volatile int big = 2000000000;

int main(void) {
    printf("%d %d %d %d\n", __builtin_popcount(w), __builtin_clz(w), __builtin_ctz(w), __builtin_popcountl(v));
    printf("%d %d %d\n", __builtin_clzl(v), __builtin_ctzl(v << 5), __builtin_ffs(w << 3));
    printf("%x %lx %x\n", __builtin_bswap32(w), __builtin_bswap64(v), __builtin_bswap16((uint16_t)w));
    printf("%x %x\n", __builtin_bitreverse32(w), __builtin_bitreverse8(0x13));
    int sum, over = __builtin_add_overflow(big, big, &sum);
    unsigned product;
    int over2 = __builtin_mul_overflow((unsigned)big, 2u, &product);
    printf("%d %d %u %d\n", over, sum, product, over2);
    int difference, over3 = __builtin_sub_overflow(big, 5, &difference);
    printf("%d %d\n", over3, difference);
    printf("%x %lx\n", w << 7 | w >> 25, __builtin_rotateleft64(v, 12));
    printf("%d %ld %d\n", abs(-big), labs(-5L), __builtin_expect(big > 5, 1) ? 1 : 2);
    printf("%d %d\n", __builtin_constant_p(big) * 0, big > 0 ? big / 7 : 0);
    return 0;
}
