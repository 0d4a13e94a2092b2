// errno is a thread-local that the program may set and read.
#include <errno.h>
#include <stdio.h>

static int attempt(int n) { if (n < 0) { errno = EINVAL; return -1; } return n * 2; }

int main(void) {
    errno = 0;
    int good = attempt(4), before = errno, bad = attempt(-4);
    printf("%d %d %d %d\n", good, before, bad, errno == EINVAL);
    return 0;
}
