// N-writers(N): N + 1 writers and one reader of one location: (N+1)! * (N+2) executions. Source: GenMC's benchmarks.
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

static void *reader(void *arg)
{
    atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t w[N + 1], r;
    for (intptr_t i = 0; i <= N; i++)
        pthread_create(&w[i], NULL, writer, (void *)(i + 1));
    pthread_create(&r, NULL, reader, NULL);
    for (int i = 0; i <= N; i++)
        pthread_join(w[i], NULL);
    pthread_join(r, NULL);
    return 0;
}
