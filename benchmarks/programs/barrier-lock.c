// barrier-lock(N): N threads meet at a barrier and then take a test-and-test-and-set lock once each. Source: BAM, thesis
// §10.2.3. As many executions as for ttas-lock, (N!)^2: the barrier adds none.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static pthread_barrier_t barrier;
static atomic_int taken;
static int inside, visits;

static void *worker(void *arg)
{
    pthread_barrier_wait(&barrier);
    int expected = 0;
    __VERIFIER_assume(!atomic_load_explicit(&taken, memory_order_relaxed));
    __VERIFIER_assume(atomic_compare_exchange_strong_explicit(&taken, &expected, 1, memory_order_acquire,
                                                              memory_order_relaxed));
    assert(!inside);
    inside = 1;
    visits++;
    inside = 0;
    atomic_store_explicit(&taken, 0, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t[N];
    pthread_barrier_init(&barrier, NULL, N);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(visits == N);
    return 0;
}
