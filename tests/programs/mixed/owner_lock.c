// A lock of 16 bytes with its owner and how often it was taken: one compare-exchange takes it and counts.
// expect[sc,tso,rc11]: verified complete=2
// twin[rc11] `release);` -> `relaxed);`: violation=race line=34
// twin[sc,rc11] `atomic_store_explicit(&lock.owner, 0, release);` -> ``: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define relaxed memory_order_relaxed
#define release memory_order_release
struct state {
    uint64_t owner, count;
};
static union {
    _Atomic struct state all;
    _Atomic uint64_t owner;
} lock;
static int data;

static void take(uint64_t me)
{
    struct state old;
    do {
        old = atomic_load_explicit(&lock.all, relaxed);
    } while (old.owner || !atomic_compare_exchange_strong_explicit(&lock.all, &old, ((struct state){me, old.count + 1}),
                                                                   memory_order_acquire, relaxed));
}

static void *worker(void *arg)
{
    take((uintptr_t)arg);
    data++;
    atomic_store_explicit(&lock.owner, 0, release);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(data == 2);
    assert(atomic_load_explicit(&lock.all, relaxed).count == 2);
    return 0;
}
