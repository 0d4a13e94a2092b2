// Arithmetic on integers of every width, signed and unsigned.
#include <stdint.h>
#include <stdio.h>

#define SHOW(T, F, a, b) do { T p = (T)(a), q = (T)(b); \
    printf(#T " " F " " F " " F " " F " " F " " F " " F " " F "\n", (T)(p + q), (T)(p - q), (T)(p * q), (T)(p / q), \
           (T)(p % q), (T)(p & q), (T)(p | q), (T)(p ^ q)); } while (0)

volatile int seed = 7;

int main(void) {
    int s = seed;
    SHOW(int8_t, "%d", 100 + s, 50);
    SHOW(uint8_t, "%u", 200 + s, 99);
    SHOW(int16_t, "%d", -30000 + s, 17);
    SHOW(uint16_t, "%u", 65000 + s, 1000);
    SHOW(int32_t, "%d", -2000000000 + s, 13);
    SHOW(uint32_t, "%u", 4000000000u + s, 77);
    SHOW(int64_t, "%ld", -9000000000000000000L + s, 12345);
    SHOW(uint64_t, "%lu", 18000000000000000000UL + s, 999);
    for (int k = 0; k < 8; k++)
        printf("%d %u %d %ld\n", 1 << k, 0x80000000u >> k, -1000 >> k, -(1L << 40) >> k);
    printf("%d %d %d %d\n", s > 3, s < 3, s >= 7, s != 7);
    printf("%d %d\n", -1 < (int)s, (unsigned)-1 < (unsigned)s);
    return 0;
}
