// readers(N): one writer, N readers of one location: 2^N executions. Source: HMC, table 1.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *writer(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

static void *reader(void *arg)
{
    atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t w, r[N];
    pthread_create(&w, NULL, writer, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&r[i], NULL, reader, NULL);
    pthread_join(w, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(r[i], NULL);
    return 0;
}
