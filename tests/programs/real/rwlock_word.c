// A read-write lock in one word: readers count in the low bits, and a writer sets the highest one.
// expect[sc,tso,rc11]: verified
// The next writer does not know that the readers are done.
// twin[rc11] `fetch_sub_explicit(&lock->word, 1, memory_order_release` -> `fetch_sub_explicit(&lock->word, 1, memory_order_relaxed`: violation=race lines=66,76
// twin[rc11] `atomic_store_explicit(&lock->word, 0, memory_order_release` -> `atomic_store_explicit(&lock->word, 0, memory_order_relaxed`: violation=race lines=76,76
// twin[rc11] `word + 1, memory_order_acquire` -> `word + 1, memory_order_relaxed`: violation=race lines=66,76
// twin[rc11] `WRITER, memory_order_acquire` -> `WRITER, memory_order_relaxed`: violation=race lines=66,76
// A writer that only waits for other writers.
// twin[rc11] `if (word != 0)` -> `if (word & WRITER)`: violation=race lines=76,76
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define WRITER (UINT32_C(1) << 31)

struct rwlock {
    _Atomic uint32_t word;
};

struct route {
    int gateway, metric; // always changed together
};

static struct rwlock lock;
static struct route route;

static void read_lock(struct rwlock *lock)
{
    for (;;) {
        uint32_t word = atomic_load_explicit(&lock->word, memory_order_relaxed);
        if (word & WRITER)
            continue;
        if (atomic_compare_exchange_weak_explicit(&lock->word, &word, word + 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return;
    }
}

static void read_unlock(struct rwlock *lock)
{
    atomic_fetch_sub_explicit(&lock->word, 1, memory_order_release);
}

static void write_lock(struct rwlock *lock)
{
    for (;;) {
        uint32_t word = atomic_load_explicit(&lock->word, memory_order_relaxed);
        if (word != 0)
            continue;
        if (atomic_compare_exchange_weak_explicit(&lock->word, &word, WRITER, memory_order_acquire,
                                                  memory_order_relaxed))
            return;
    }
}

static void write_unlock(struct rwlock *lock)
{
    atomic_store_explicit(&lock->word, 0, memory_order_release); // readers do not count while we are in
}

static void *reader(void *arg)
{
    (void)arg;
    read_lock(&lock);
    int gateway = route.gateway, metric = route.metric;
    read_unlock(&lock);
    assert(metric == 10 * gateway);
    return NULL;
}

static void *writer(void *arg)
{
    (void)arg;
    write_lock(&lock);
    route.gateway += 1;
    route.metric += 10;
    write_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i < 2 ? reader : writer, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(route.gateway == 2);
    return 0;
}
