// Thread-local variables in a single thread.
#include <stdio.h>

_Thread_local int number = 5;
static _Thread_local struct { int a; long b; } record = {1, 2};
_Thread_local char buffer[8];

static int next(void) { static _Thread_local int n = 100; return n++; }
static void put(char *at, char c) { *at = c; }

int main(void) {
    number += 2;
    record.b += number;
    put(&buffer[1], 'k');
    printf("%d %d %ld %d %c\n", number, record.a, record.b, buffer[0], buffer[1]);
    next();
    printf("%d\n", next());
    return 0;
}
