// mp(N): message passing; the reader looks at the flag up to N times, until it is set. Source: HMC, table 1.
// The flag is seen at the first look, or at the second, and so on, or never; the data is then known: N + 1 executions.
#include "shared.h"

static atomic_int data, flag;

static void *writer(void *arg)
{
    store(&data, 1, relaxed);
    store(&flag, 1, release);
    return arg;
}

static void *reader(void *arg)
{
    for (int look = 0; look < N; look++)
        if (load(&flag, acquire)) {
            assert(load(&data, relaxed) == 1);
            break;
        }
    return arg;
}

int main(void)
{
    run_all((void *(*const[])(void *)){writer, reader}, 2);
    return 0;
}
