// ainc(N): N atomic increments of one location: N! executions. Source: HMC, table 3.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *inc(void *arg)
{
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, inc, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
