// Bit-fields, signed and unsigned, crossing bytes.
#include <stdio.h>

struct flags { unsigned a : 3; int b : 5; unsigned c : 9; unsigned long d : 40; unsigned e : 1; };
struct odd { unsigned char k : 2; unsigned x : 20; } __attribute__((packed));

struct flags global = {5, -3, 300, 0x1234567890UL, 1};

int main(void) {
    struct flags f = global;
    printf("%u %d %u %lx %u\n", f.a, f.b, f.c, (unsigned long)f.d, f.e);
    f.a += 6;
    f.b -= 20;
    f.c = ~f.c;
    f.d *= 3;
    f.e++;
    printf("%u %d %u %lx %u\n", f.a, f.b, f.c, (unsigned long)f.d, f.e);
    struct odd o = {1, 70000};
    o.x++;
    printf("%u %u %zu\n", o.k, o.x, sizeof o);
    return 0;
}
