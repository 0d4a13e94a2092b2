// qspinlock(N): a lock word, one pending waiter, and a queue for the others. Source: the queued spinlock of Linux,
// here with one word of a single size.
#include "prelude.h"

enum { LOCKED = 1, PENDING = 2, TAIL = 4 };

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_int first;
};

static struct waiter waiters[N];
static atomic_int word; // LOCKED, PENDING, and TAIL times the number of the last in the queue

static void wait_in_queue(int me)
{
    int mine = (me + 1) * TAIL, seen = load(&word, relaxed);
    while (!replace(&word, &seen, (seen & (LOCKED | PENDING)) | mine, acq_rel, relaxed))
        ;
    if (seen >= TAIL) {
        store(&waiters[seen / TAIL - 1].next, &waiters[me], release);
        while (!load(&waiters[me].first, acquire))
            ;
    }
    while ((seen = load(&word, acquire)) & (LOCKED | PENDING))
        ;
    while (seen / TAIL == me + 1) { // nobody behind: the queue becomes empty
        if (replace(&word, &seen, LOCKED, acquire, relaxed))
            return;
    }
    atomic_fetch_or_explicit(&word, LOCKED, memory_order_acquire);
    struct waiter *after;
    while ((after = load(&waiters[me].next, acquire)) == NULL)
        ;
    store(&after->first, 1, release);
}

static void lock(int me)
{
    int seen = 0;
    if (replace(&word, &seen, LOCKED, acquire, relaxed))
        return;
    if ((seen & ~LOCKED) == 0) {
        seen = atomic_fetch_or_explicit(&word, PENDING, memory_order_acquire);
        if ((seen & ~LOCKED) != 0 && (seen & PENDING) == 0)
            atomic_fetch_and_explicit(&word, ~PENDING, memory_order_relaxed);
    }
    if ((seen & ~LOCKED) != 0) {
        wait_in_queue(me);
        return;
    }
    while (load(&word, acquire) & LOCKED)
        ;
    add(&word, LOCKED - PENDING, relaxed);
}

static void unlock(int me)
{
    (void)me;
    add(&word, -LOCKED, release);
}

#include "lock-client.h"
