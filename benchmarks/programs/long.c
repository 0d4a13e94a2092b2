// long(N): a thread of N atomic events beside a short one, for graphs of thousands of events.
// The long thread reads first and last what the short one writes at its end, and the short one reads first what the
// long one writes in between: whichever runs first, a write revisits a read far behind. All else is forced.
// The short one reads middle before or after it was written. Before: start and end are read as (0, 0), (0, 1) or
// (1, 1). After: start is read as 0, as it was read before middle was written, and end as 0 or 1. 5 executions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 20
#endif
#define ROUNDS ((N - 3) / 4)

static atomic_int hint, middle, counter;

static void count_up(int from)
{
    for (int i = from + 1; i <= from + ROUNDS; i++) {
        atomic_store_explicit(&counter, i, memory_order_relaxed);
        assert(atomic_load_explicit(&counter, memory_order_relaxed) == i);
    }
}

static void *long_thread(void *arg)
{
    int start = atomic_load_explicit(&hint, memory_order_acquire);
    count_up(0);
    atomic_store_explicit(&middle, 1, memory_order_release);
    count_up(ROUNDS);
    int end = atomic_load_explicit(&hint, memory_order_acquire);
    assert(start <= end);
    return arg;
}

static void *short_thread(void *arg)
{
    atomic_load_explicit(&middle, memory_order_acquire);
    atomic_store_explicit(&hint, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, long_thread, NULL);
    pthread_create(&b, NULL, short_thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
