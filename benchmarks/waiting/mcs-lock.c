// mcs-lock(N): a queue lock. Source: Mellor-Crummey and Scott, TOCS 1991.
#include "prelude.h"

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_int released;
};

static struct waiter waiters[N];
static _Atomic(struct waiter *) tail;

static void lock(int me)
{
    struct waiter *before = swap(&tail, &waiters[me], acq_rel);
    if (before == NULL)
        return;
    store(&before->next, &waiters[me], release);
    while (!load(&waiters[me].released, acquire))
        ;
}

static void unlock(int me)
{
    struct waiter *last = &waiters[me];
    struct waiter *after = load(&waiters[me].next, acquire);
    if (after == NULL) {
        if (replace(&tail, &last, NULL, release, relaxed))
            return;
        while ((after = load(&waiters[me].next, acquire)) == NULL)
            ;
    }
    store(&after->released, 1, release);
}

#include "lock-client.h"
