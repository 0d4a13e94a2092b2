// ticket-lock(N): N threads take a ticket lock once each. Source: Mellor-Crummey and Scott, TOCS 1991.
// The order of tickets decides a complete execution: N! of them. Every thread is served in the end.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int next_ticket, serving;

static void lock(int me)
{
    (void)me;
    int ticket = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    __VERIFIER_assume(atomic_load_explicit(&serving, memory_order_acquire) == ticket);
}

static void unlock(int me)
{
    (void)me;
    int ticket = atomic_load_explicit(&serving, memory_order_relaxed);
    atomic_store_explicit(&serving, ticket + 1, memory_order_release);
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
