// Global structs passed and returned by value in every way that the calling convention knows.
#include <stdio.h>

struct a { int x, y; };
struct b { char c; short s; int i; };
struct c { int w, x, y, z; };
struct d { float f; int i; };
struct e { double d; char c[5]; };
struct f { long l[3]; };
struct g { char c[3]; };
static struct a ga = {1, -2};
static struct b gb = {3, -4, 5};
static struct c gc = {6, 7, -8, 9};
static struct d gd = {1.5f, -10};
static struct e ge = {2.25, "abcd"};
static struct f gf = {{11, 12, -13}};
static struct g gg = {"xy"};

static struct a fa(struct a v) { v.x *= 2; return v; }
static struct b fb(struct b v) { v.s *= 2; return v; }
static struct c fc(struct c v) { v.y *= 2; return v; }
static struct d fd(struct d v) { v.f *= 2; return v; }
static struct e fe(struct e v) { v.c[1] = 'z'; return v; }
static struct f ff(struct f v) { v.l[2] *= 2; return v; }
static struct g fg(struct g v) { v.c[0] = 'w'; return v; }

int main(void) {
    ga = fa(ga);
    gb = fb(gb);
    gc = fc(gc);
    gd = fd(gd);
    ge = fe(ge);
    gf = ff(gf);
    gg = fg(gg);
    printf("%d %d, %d %d %d, %d %d %d %d\n", ga.x, ga.y, gb.c, gb.s, gb.i, gc.w, gc.x, gc.y, gc.z);
    printf("%f %d, %f %c%c%c, %ld %ld %ld, %c%c\n", gd.f, gd.i, ge.d, ge.c[0], ge.c[1], ge.c[2], gf.l[0], gf.l[1],
           gf.l[2], gg.c[0], gg.c[1]);
    return 0;
}
