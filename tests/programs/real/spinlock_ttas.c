// A test-and-test-and-set spinlock that guards the size classes of an allocator.
// expect[sc,tso,rc11]: verified
// twin[rc11] `__ATOMIC_ACQUIRE` -> `__ATOMIC_RELAXED`: violation=race lines=52,52
// twin[rc11] `__ATOMIC_RELEASE` -> `__ATOMIC_RELAXED`: violation=race lines=52,52
// twin[rc11] `if (!spin_trylock(&class->lock))` -> `if (0)`: violation=race lines=52,62
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct spinlock {
    unsigned char held;
};

struct size_class {
    struct spinlock lock;
    unsigned count; // guarded by lock
    size_t bytes;   // guarded by lock
};

static struct size_class small;

static inline void cpu_relax(void)
{
    __asm__ volatile("pause" ::: "memory");
}

// Acquire: what the previous holder wrote must be visible before the critical section begins.
static inline bool spin_trylock(struct spinlock *lock)
{
    return !__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE);
}

static inline void spin_lock(struct spinlock *lock)
{
    while (!spin_trylock(lock)) {
        // Read until the lock looks free, so that waiting does not move the cache line around.
        while (__atomic_load_n(&lock->held, __ATOMIC_RELAXED))
            cpu_relax();
    }
}

// Release: pairs with the exchange of the next holder.
static inline void spin_unlock(struct spinlock *lock)
{
    __atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}

static void account(struct size_class *class, size_t bytes)
{
    spin_lock(&class->lock);
    class->count++;
    class->bytes += bytes;
    spin_unlock(&class->lock);
}

// A statistics thread does not wait for busy classes.
static bool sample(struct size_class *class, size_t *average)
{
    if (!spin_trylock(&class->lock))
        return false;
    *average = class->count ? class->bytes / class->count : 0;
    spin_unlock(&class->lock);
    return true;
}

static void *allocating_thread(void *arg)
{
    (void)arg;
    account(&small, 16);
    return NULL;
}

static void *statistics_thread(void *arg)
{
    (void)arg;
    size_t average;
    if (sample(&small, &average))
        assert(average == 0 || average == 16);
    return NULL;
}

int main(void)
{
    pthread_t allocating[2], statistics;
    for (int i = 0; i < 2; i++)
        pthread_create(&allocating[i], NULL, allocating_thread, NULL);
    pthread_create(&statistics, NULL, statistics_thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(allocating[i], NULL);
    pthread_join(statistics, NULL);
    assert(small.count == 2 && small.bytes == 32);
    return 0;
}
