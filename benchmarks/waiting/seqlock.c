// seqlock(N): a writer changes a pair N - 1 times, a reader looks until it has seen a whole pair. Source: Boehm,
// MSPC 2012.
#include "prelude.h"

static atomic_int sequence, first, second;

static void *writer(void *arg)
{
    for (int i = 1; i < N; i++) {
        store(&sequence, 2 * i - 1, relaxed);
        atomic_thread_fence(memory_order_release);
        store(&first, i, relaxed);
        store(&second, i, relaxed);
        store(&sequence, 2 * i, release);
    }
    return arg;
}

static void *reader(void *arg)
{
    int before, after, a, b;
    do {
        before = load(&sequence, acquire);
        a = load(&first, relaxed);
        b = load(&second, relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = load(&sequence, relaxed);
    } while (before != after || before % 2 != 0);
    assert(a == b && 2 * a == before);
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
