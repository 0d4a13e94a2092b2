// assert that holds, exit in the middle, an empty barrier for the compiler.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static void stop(int code) { printf("stopping\n"); exit(code); }

int main(void) {
    int x = 3;
    assert(x == 3);
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("" : "+r"(x));
    printf("%d\n", x);
    if (x) stop(0);
    printf("never\n");
    return 1;
}
