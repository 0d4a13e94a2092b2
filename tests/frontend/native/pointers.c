// Function pointers, arrays of them, pointers to pointers, pointer arithmetic.
#include <stddef.h>
#include <stdio.h>

typedef int (*operation)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static operation table[] = {add, sub, mul};
struct handler { const char *name; operation run; };
static const struct handler handlers[] = {{"add", add}, {"mul", mul}};

static int apply(operation f, int a, int b) { return f(a, b); }
static void set(int **where, int *what) { *where = what; }

int main(void) {
    for (int i = 0; i < 3; i++) printf("%d ", table[i](7, 3));
    for (int i = 0; i < 2; i++) printf("%s=%d ", handlers[i].name, handlers[i].run(4, 5));
    printf("%d %d\n", apply(sub, 1, 2), table[0] == add);
    int grid[3][4], *p = &grid[0][0], *q = NULL;
    for (int i = 0; i < 12; i++) *p++ = i * i;
    printf("%d %d %td\n", grid[1][2], *(grid[2] + 3), &grid[2][1] - &grid[0][0]);
    set(&q, &grid[1][1]);
    printf("%d %d %d\n", *q, q[-2], q == &grid[1][1]);
    for (int *r = grid[0] + 11; r >= &grid[0][8]; r--) printf("%d,", *r);
    printf("\n");
    return 0;
}
