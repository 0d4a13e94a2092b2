// mcs-lock(N): N threads take a queue lock once each. Source: Mellor-Crummey and Scott, TOCS 1991.
// A thread that finds its predecessor still inside, or its successor not yet linked, waits.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_int released;
};

static struct waiter waiters[N];
static _Atomic(struct waiter *) tail;

static void lock(int me)
{
    struct waiter *before = atomic_exchange_explicit(&tail, &waiters[me], memory_order_acq_rel);
    if (before == NULL)
        return;
    atomic_store_explicit(&before->next, &waiters[me], memory_order_release);
    __VERIFIER_assume(atomic_load_explicit(&waiters[me].released, memory_order_acquire));
}

static void unlock(int me)
{
    struct waiter *last = &waiters[me];
    struct waiter *after = atomic_load_explicit(&waiters[me].next, memory_order_acquire);
    if (after == NULL) {
        if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, memory_order_release, memory_order_relaxed))
            return;
        after = atomic_load_explicit(&waiters[me].next, memory_order_acquire);
        __VERIFIER_assume(after != NULL);
    }
    atomic_store_explicit(&after->released, 1, memory_order_release);
}

static int visits;

static void *process(void *arg)
{
    int me = (int)(intptr_t)arg;
    lock(me);
    visits++;
    unlock(me);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, process, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(visits == N);
    return 0;
}
