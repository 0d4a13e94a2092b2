// A reference count that is changed together with its lock word, or under the lock. Source: lockref of Linux.
// expect[tso,rc11-ra]: verified
// twin[rc11-ra] release->relaxed: violation=race line=37
// twin[rc11-ra] `(uint32_t)old == 0` -> `1`: violation=assertion line=60
// Without the test of the lock, the fast path changes the count between the load and the store of a lock holder.
#include <assert.h>
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
static int slow; // protected by the lock

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

static void get_locked(void)
{
    lock();
    slow++;
    atomic_store_explicit(&ref.count, atomic_load_explicit(&ref.count, relaxed) + 1, relaxed);
    unlock();
}

static void *get(void *arg)
{
    uint64_t old = atomic_load_explicit(&ref.both, relaxed);
    while ((uint32_t)old == 0)
        if (atomic_compare_exchange_strong_explicit(&ref.both, &old, old + (1ull << 32), relaxed, relaxed))
            return arg;
    get_locked();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, get, NULL);
    pthread_create(&b, NULL, get, NULL);
    get_locked();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(ref.count == 3);
    return 0;
}
