// ttas-lock(N): a test-and-test-and-set lock. Source: Rudolph and Segall, ISCA 1984.
#include "prelude.h"

static atomic_int taken;

static void lock(int me)
{
    (void)me;
    do
        while (load(&taken, relaxed))
            ;
    while (swap(&taken, 1, acquire));
}

static void unlock(int me)
{
    (void)me;
    store(&taken, 0, release);
}

#include "lock-client.h"
