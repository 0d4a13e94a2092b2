// goto: loops, jumps out of nested loops, and an irreducible cycle.
#include <stdio.h>

static int tangled(int start, int steps) {
    int trace = 0;
    if (start) goto second;
first:
    trace = trace * 3 + 1;
    if (--steps < 0) return trace;
second:
    trace = trace * 3 + 2;
    if (--steps >= 0) goto first;
    return trace;
}

int main(void) {
    int i = 0;
again:
    if (i < 5) { printf("%d ", i); i += 2; goto again; }
    for (int a = 0; a < 10; a++)
        for (int b = 0; b < 10; b++)
            if (a * b == 42) { printf("%d*%d\n", a, b); goto out; }
out:
    printf("%d %d\n", tangled(0, 5), tangled(1, 6));
    return 0;
}
