// cas-lock(N): a lock that is taken by a compare-exchange, again and again.
#include "prelude.h"

static atomic_int taken;

static void lock(int me)
{
    (void)me;
    int expected = 0;
    while (!replace(&taken, &expected, 1, acquire, relaxed))
        expected = 0;
}

static void unlock(int me)
{
    (void)me;
    store(&taken, 0, release);
}

#include "lock-client.h"
