// Structs: nested, copied, passed and returned by value, small and large.
#include <stdio.h>

struct point { int x, y; };
struct pair { double d; long n; };
struct floats { float x, y; };
struct big { int id; struct point at[3]; char name[8]; long tail; };

static void show(const char *s) { while (*s) putchar(*s++); putchar('\n'); }
static struct point add(struct point a, struct point b) { return (struct point){a.x + b.x, a.y + b.y}; }
static struct pair twice(struct pair p) { p.d *= 2; p.n *= 2; return p; }
static struct floats flip(struct floats p) { return (struct floats){p.y, p.x}; }
static struct big change(struct big b) { b.id++; b.at[1].y = 42; b.name[0] = 'Z'; b.tail = -b.tail; return b; }

struct big global = {1, {{2, 3}, {4, 5}, {6, 7}}, "abcdefg", 99};

int main(void) {
    struct point p = add((struct point){1, 2}, (struct point){3, 4});
    printf("%d %d\n", p.x, p.y);
    struct pair q = twice((struct pair){1.25, 21});
    printf("%f %ld\n", q.d, q.n);
    struct floats f = flip((struct floats){1.5f, 2.5f});
    printf("%f %f\n", f.x, f.y);
    struct big b = change(global), *r = &b;
    show(r->name);
    printf("%d %d %d %ld\n", b.id, r->at[1].y, r->at[2].x, r->tail);
    show(global.name);
    printf("%d %d %ld\n", global.id, global.at[1].y, global.tail);
    global = b;
    struct big other;
    other = global;
    show(other.name);
    printf("%d %d\n", other.id, other.at[0].x);
    struct point swap = {p.y, p.x};
    p = swap;
    printf("%d %d %zu %zu\n", p.x, p.y, sizeof(struct big), sizeof global.at);
    return 0;
}
