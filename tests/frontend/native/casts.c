// Conversions between integer types, and integers kept in pointers.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

volatile long wide = -123456789012345L;

int main(void) {
    long v = wide;
    printf("%d %d %d %u %u %u\n", (int8_t)v, (int16_t)v, (int32_t)v, (uint8_t)v, (uint16_t)v, (uint32_t)v);
    printf("%ld %ld %ld\n", (long)(int8_t)v, (long)(uint8_t)v, (long)(int32_t)v);
    bool yes = v, no = v + 123456789012345L;
    printf("%d %d %d\n", yes, no, yes + yes);
    void *p = (void *)(intptr_t)v;
    printf("%ld %d\n", (long)(intptr_t)p, (int)(uintptr_t)p);
    char c = 'a' + (char)(v & 3);
    printf("%c %d %x %X %o\n", c, c, (unsigned)v, (unsigned)v, (unsigned)v);
    return 0;
}
