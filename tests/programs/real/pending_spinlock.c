// A spinlock with a pending bit: one waiter is next for sure, and the others wait for that bit.
// expect[sc,tso,rc11]: verified
// twin[rc11] `LOCKED, memory_order_acquire` -> `LOCKED, memory_order_relaxed`: violation=race lines=55,55
// twin[rc11] `memory_order_acquire) & LOCKED` -> `memory_order_relaxed) & LOCKED`: violation=race lines=55,55
// twin[rc11] `~LOCKED, memory_order_release` -> `~LOCKED, memory_order_relaxed`: violation=race lines=55,55
// Setting LOCKED first and clearing PENDING later leaves the word as it should be, but clearing first lets another in.
// twin[rc11] `atomic_fetch_add_explicit(&lock->word, LOCKED - PENDING, memory_order_relaxed);` -> `atomic_fetch_and(&lock->word, ~PENDING); atomic_fetch_or(&lock->word, LOCKED);`: violation=race lines=55,55
// A holder that clears the whole word forgets who is next.
// twin[rc11] `atomic_fetch_and_explicit(&lock->word, ~LOCKED, memory_order_release)` -> `atomic_store_explicit(&lock->word, 0, memory_order_release)`: violation=race lines=55,55
// A waiter that leaves its bit behind.
// twin[sc,rc11] `LOCKED - PENDING` -> `LOCKED`: violation=liveness line=30
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 3
#define LOCKED 1u
#define PENDING 2u // somebody is next

struct spinlock {
    atomic_uint word;
};

static struct spinlock lock;
static int packets; // guarded by lock

static void spin_lock_slow(struct spinlock *lock)
{
    while (atomic_fetch_or_explicit(&lock->word, PENDING, memory_order_relaxed) & PENDING)
        ;
    while (atomic_load_explicit(&lock->word, memory_order_acquire) & LOCKED)
        ;
    // In one step: the word must not be 0 in between.
    atomic_fetch_add_explicit(&lock->word, LOCKED - PENDING, memory_order_relaxed);
}

static void spin_lock(struct spinlock *lock)
{
    unsigned free = 0;
    if (!atomic_compare_exchange_strong_explicit(&lock->word, &free, LOCKED, memory_order_acquire,
                                                 memory_order_relaxed))
        spin_lock_slow(lock);
}

static void spin_unlock(struct spinlock *lock)
{
    atomic_fetch_and_explicit(&lock->word, ~LOCKED, memory_order_release);
}

static void *core(void *arg)
{
    (void)arg;
    spin_lock(&lock);
    packets++;
    spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t cores[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&cores[i], NULL, core, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(cores[i], NULL);
    assert(packets == THREADS);
    return 0;
}
