// rmw-chain(N): N increments in one thread beside one store: N + 1 executions.
// The store can stand before any increment or after the last; which increment reads from it follows.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 20
#endif

static atomic_int x;

static void *increment(void *arg)
{
    for (int i = 0; i < N; i++)
        atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return arg;
}

static void *store(void *arg)
{
    atomic_store_explicit(&x, -N, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, store, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
