// mutex(N): free, taken, or taken with somebody waiting. Source: Drepper, Futexes are tricky, 2011; waiting for the
// futex is a loop that looks at it.
#include "prelude.h"

static atomic_int state;

static void lock(int me)
{
    (void)me;
    int seen = 0;
    if (replace(&state, &seen, 1, acquire, relaxed))
        return;
    while (swap(&state, 2, acquire) != 0)
        while (load(&state, relaxed) == 2)
            ;
}

static void unlock(int me)
{
    (void)me;
    if (add(&state, -1, release) != 1)
        store(&state, 0, release);
}

#include "lock-client.h"
