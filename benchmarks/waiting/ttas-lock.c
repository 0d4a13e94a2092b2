// ttas-lock(N): a test-and-test-and-set lock. Source: Rudolph and Segall, ISCA 1984. With CONFIRM it is taken by a
// compare-exchange that confirms the test: then only the order of the threads counts, N! executions.
#include "prelude.h"

static atomic_int taken;

static int take(void)
{
#ifdef CONFIRM
    int expected = 0;
    return __VERIFIER_confirming_CAS(replace(&taken, &expected, 1, acquire, relaxed));
#else
    return !swap(&taken, 1, acquire);
#endif
}

static void lock(int me)
{
    (void)me;
    do
        while (load(&taken, relaxed))
            ;
    while (!take());
}

static void unlock(int me)
{
    (void)me;
    store(&taken, 0, release);
}

#include "lock-client.h"
