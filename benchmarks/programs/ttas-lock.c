// ttas-lock(N): N threads take a test-and-test-and-set lock once each. Source: Rudolph and Segall, ISCA 1984.
// The k-th to take it tested it when the first, the second, ... or the (k-1)-th before it had given it back, or
// before: k ways, so (N!)^2 complete executions. A thread waits until the lock is free.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int taken;

static void lock(int me)
{
    (void)me;
    int expected = 0;
    __VERIFIER_assume(!atomic_load_explicit(&taken, memory_order_relaxed));
    __VERIFIER_assume(atomic_compare_exchange_strong_explicit(&taken, &expected, 1, memory_order_acquire,
                                                              memory_order_relaxed));
}

static void unlock(int me)
{
    (void)me;
    atomic_store_explicit(&taken, 0, memory_order_release);
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
