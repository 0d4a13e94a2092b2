// assume-exp(N): a thread waits for the last of 42 writes, and 8 threads read one of N + 1 values each. Source: thesis
// T10.13. The assumption has 43 writes to read from, and one of them passes it. What the readers see is independent of
// that and of each other: (N + 1)^8 complete executions. Without load annotations there are 42 times as many blocked ones.
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif
#if N > 1
#define STEPS 42
#define READERS 8
#else // small enough for the reference
#define STEPS 3
#define READERS 2
#endif

static atomic_int x, y;

static void *count(void *arg)
{
    for (int i = 1; i <= STEPS; i++)
        atomic_store_explicit(&x, i, memory_order_relaxed);
    return arg;
}

static void *wait_for_the_last(void *arg)
{
    int seen = atomic_load_explicit(&x, memory_order_relaxed) - STEPS;
    __VERIFIER_assume(seen == 0);
    return arg;
}

static void *write(void *arg)
{
    for (int i = 1; i <= N; i++)
        atomic_store_explicit(&y, i, memory_order_relaxed);
    return arg;
}

static void *look(void *arg)
{
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t[3 + READERS];
    pthread_create(&t[0], NULL, count, NULL);
    pthread_create(&t[1], NULL, wait_for_the_last, NULL);
    pthread_create(&t[2], NULL, write, NULL);
    for (int i = 3; i < 3 + READERS; i++)
        pthread_create(&t[i], NULL, look, NULL);
    for (int i = 0; i < 3 + READERS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
