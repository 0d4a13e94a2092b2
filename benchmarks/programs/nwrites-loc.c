// nwrites-loc(N): N writers of one location that nobody reads: N! executions. Source: HMC, table 1.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *writer(void *arg)
{
    atomic_store(&x, (int)(intptr_t)arg);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, writer, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
