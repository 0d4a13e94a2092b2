// Unions and reinterpreted bytes.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union word { uint32_t u; float f; uint8_t b[4]; struct { uint16_t lo, hi; } h; };

int main(void) {
    union word w = {.f = 1.0f};
    printf("%x %x %x %d\n", w.u, w.h.hi, w.b[3], w.b[0]);
    w.b[0] = 0x11;
    w.h.hi = 0x4049;
    printf("%x %f\n", w.u, w.f);
    double d = -2.5;
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    printf("%lx\n", bits);
    bits ^= 1UL << 63;
    memcpy(&d, &bits, sizeof d);
    printf("%f\n", d);
    union word copy = w;
    printf("%x\n", copy.u);
    return 0;
}
