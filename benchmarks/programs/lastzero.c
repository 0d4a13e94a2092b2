// lastzero(N): writers copy a neighbour's value plus one, a reader scans down for a zero. Source: TruSt, table 1.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int array[N + 1];

static void *reader(void *arg)
{
    int i = N;
    while (atomic_load(&array[i]) != 0) // array[0] stays 0
        i--;
    return arg;
}

static void *writer(void *arg)
{
    intptr_t j = (intptr_t)arg;
    atomic_store(&array[j], atomic_load(&array[j - 1]) + 1);
    return NULL;
}

int main(void)
{
    pthread_t t[N + 1];
    pthread_create(&t[0], NULL, reader, NULL);
    for (intptr_t j = 1; j <= N; j++)
        pthread_create(&t[j], NULL, writer, (void *)j);
    for (int j = 0; j <= N; j++)
        pthread_join(t[j], NULL);
    return 0;
}
