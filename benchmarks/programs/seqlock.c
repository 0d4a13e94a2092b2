// seqlock(N): a writer changes a pair N times, a reader tries twice to see a whole pair. Source: Boehm, MSPC 2012.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif
#define TRIES 2

static atomic_int sequence, first, second;

static void *writer(void *arg)
{
    for (int i = 1; i <= N; i++) {
        atomic_store_explicit(&sequence, 2 * i - 1, memory_order_relaxed);
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&first, i, memory_order_relaxed);
        atomic_store_explicit(&second, i, memory_order_relaxed);
        atomic_store_explicit(&sequence, 2 * i, memory_order_release);
    }
    return arg;
}

static int sees_a_whole_pair(void)
{
    int before = atomic_load_explicit(&sequence, memory_order_acquire);
    int a = atomic_load_explicit(&first, memory_order_relaxed);
    int b = atomic_load_explicit(&second, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    int after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before != after || before % 2 != 0)
        return 0;
    assert(a == b && 2 * a == before);
    return 1;
}

static void *reader(void *arg)
{
    for (int i = 0; i < TRIES; i++)
        if (sees_a_whole_pair())
            break;
    return arg;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
