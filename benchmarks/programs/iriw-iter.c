// iriw-iter(N): two threads count to N, and two wait until both counts are N, in different orders. Source: thesis
// T10.13, where N is 42. Each of those two passes both assumptions, or fails one with one of N values: 2N + 1 ways. So
// there is 1 complete execution. Without load annotations, a model that lets the two disagree about which count came
// first has (2N + 1)^2 - 1 blocked ones.
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 42
#endif

static atomic_int x, y;

static void *count(void *counter)
{
    for (int i = 1; i <= N; i++)
        atomic_store_explicit((atomic_int *)counter, i, memory_order_relaxed);
    return NULL;
}

static void wait_for(atomic_int *counter)
{
    __VERIFIER_assume(atomic_load_explicit(counter, memory_order_relaxed) == N);
}

static void *x_then_y(void *arg)
{
    wait_for(&x);
    wait_for(&y);
    return arg;
}

static void *y_then_x(void *arg)
{
    wait_for(&y);
    wait_for(&x);
    return arg;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], NULL, count, &x);
    pthread_create(&t[1], NULL, count, &y);
    pthread_create(&t[2], NULL, x_then_y, NULL);
    pthread_create(&t[3], NULL, y_then_x, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
