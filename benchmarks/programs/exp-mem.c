// exp-mem(N): 2 * N! executions that an explorer should need no memory for. Source: TruSt, table 1.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int x, y;

static void *one(void *arg)
{
    atomic_fetch_add(&x, 1);
    return arg;
}

static void *many(void *arg)
{
    atomic_fetch_add(&y, 1);
    if ((intptr_t)arg == N - 1)
        atomic_fetch_add(&x, 1);
    return NULL;
}

int main(void)
{
    pthread_t t[N + 1];
    pthread_create(&t[N], NULL, one, NULL);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, many, (void *)i);
    for (int i = 0; i <= N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
