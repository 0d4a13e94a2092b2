// Vectors, element by element: arithmetic, comparisons, conversions, shuffles, elements by number.
#include <stdio.h>

typedef int four __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(8)));
typedef float floats __attribute__((vector_size(16)));
typedef double two __attribute__((vector_size(16)));
typedef long wide __attribute__((vector_size(32)));

static four global = { 1, -2, 3, -4 };
struct holds { char c; four inside; };

static void show(four v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }

static four scaled(four v, int by) { return v * by; }

int main(void)
{
    four a = global, b = { 5, 6, 7, 8 };
    show(a + b);
    show(a * b - 3);
    show(a / 2);
    show(a >> 1);
    show((four){ 1, 2, 3, 4 } << a * a % 7);
    show(-a ^ b);
    show(a > b);
    show((a < 0) & b);
    show(scaled(b, 3));
    show(__builtin_shufflevector(a, b, 0, 4, 3, 7));
    for (int i = 0; i < 4; i++)
        b[(i + 1) % 4] += a[i];
    show(b);
    bytes small = { 250, 251, 252, 253, 254, 255, 0, 1 };
    small += 3;
    for (int i = 0; i < 8; i++)
        printf("%d ", small[i]);
    floats f = { 1.5f, 2.5f, -3.5f, 0.25f };
    f = f * f + 1.0f;
    printf("\n%g %g %g %g\n", f[0], f[1], f[2], f[3]);
    show(__builtin_convertvector(f, four));
    two d = { 1.0, 3.0 };
    d /= 4.0;
    printf("%g %g\n", d[0], d[1]);
    wide w = { 1L << 40, 2, 3, 4 };
    w *= w[1];
    printf("%ld %ld\n", w[0], w[3]);
    struct holds held = { 'c', { 9, 8, 7, 6 } }, copy = held;
    show(copy.inside);
    global = copy.inside;
    show(global);
    return 0;
}
