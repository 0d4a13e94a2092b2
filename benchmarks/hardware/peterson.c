// peterson(N): two threads enter once each by Peterson's algorithm, and look up to N times. Source: HMC, table 2.
// As there, all accesses acquire or release, and no store follows a load in the same round; fences make them safe.
#include "shared.h"

static atomic_int wants[2], turn;
static int inside;

static void enter_and_leave(int me, int other)
{
    store(&wants[me], 1, release);
    fence(seq_cst);
    store(&turn, other, release);
    fence(seq_cst);
    for (int look = 0; look < N; look++)
        if (!load(&wants[other], acquire) || load(&turn, acquire) == me) {
            assert(inside == 0);
            inside = 1;
            inside = 0;
            break;
        }
    store(&wants[me], 0, release);
}

static void *first(void *arg)
{
    enter_and_leave(0, 1);
    return arg;
}

static void *second(void *arg)
{
    enter_and_leave(1, 0);
    return arg;
}

int main(void)
{
    run_all((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
