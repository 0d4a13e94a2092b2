// A reference count that is changed together with its lock word, or under the lock. Source: lockref of Linux.
// The first thread takes the lock and gives it back, and the other N - 1 increase the count (Mixer §7.3).
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define relaxed memory_order_relaxed

static union {
    _Atomic uint64_t both;
    struct {
        _Atomic uint32_t lock, count;
    };
} ref;

static void lock(void)
{
    uint32_t free = 0;
    while (!atomic_compare_exchange_strong_explicit(&ref.lock, &free, 1, memory_order_acquire, relaxed))
        free = 0;
}

static void unlock(void)
{
    atomic_store_explicit(&ref.lock, 0, memory_order_release);
}

static void *locker(void *arg)
{
    lock();
    unlock();
    return arg;
}

static void *getter(void *arg)
{
    uint64_t old = atomic_load_explicit(&ref.both, relaxed);
    while ((uint32_t)old == 0)
        if (atomic_compare_exchange_strong_explicit(&ref.both, &old, old + (1ull << 32), relaxed, relaxed))
            return arg;
    lock();
    atomic_store_explicit(&ref.count, atomic_load_explicit(&ref.count, relaxed) + 1, relaxed);
    unlock();
    return arg;
}

int main(void)
{
    pthread_t threads[N];
    pthread_create(&threads[0], NULL, locker, NULL);
    for (int i = 1; i < N; i++)
        pthread_create(&threads[i], NULL, getter, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
