// Static initialisers: nested, designated, with addresses and arithmetic on them.
#include <stdio.h>

struct node { int value; struct node *next; };
static struct node third = {3, 0}, second = {2, &third}, first = {1, &second};
static int table[] = {[5] = 50, [2] = 20};
static const char *names[] = {"a", "bb", "ccc"};
static char text[] = "text\n\"\\\t\x01";
static int grid[2][3] = {{1, 2}, {4}};
static int *inside = &grid[1][2];
static char *tail = text + 2;
static double values[] = {1.5, -2.25, 1e300};
static float singles[] = {0.1f, 3};
static long difference = (char *)&table[3] - (char *)table;
static struct { char c; long l; struct { short s; unsigned u : 4; } in; } mixed = {'x', -1, {7, 9}};

int main(void) {
    for (struct node *n = &first; n; n = n->next) printf("%d ", n->value);
    for (int i = 0; i < 6; i++) printf("%d,", table[i]);
    printf("%s%s ", names[1], names[2]);
    for (char *p = text; *p; p++) putchar(*p);
    *inside = 9;
    printf("%d %d %d %c\n", grid[0][1], grid[1][0], grid[1][2], *tail);
    printf("%f %f %g %f %f %ld\n", values[0], values[1], values[2], singles[0], singles[1], difference);
    printf("%c %ld %d %u\n", mixed.c, mixed.l, mixed.in.s, mixed.in.u);
    static int counter = 10;
    counter++;
    printf("%d\n", counter);
    return 0;
}
