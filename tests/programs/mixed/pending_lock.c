// A lock word with a locked byte, a pending byte, and both as one half. Source: qspinlock of Linux, without its queue.
// expect[tso,rc11]: verified complete=6 blocked=0
// twin[rc11] release->relaxed: violation=race line=44
// twin[rc11] `lock.locked, memory_order_acquire` -> `lock.locked, relaxed`: violation=race line=44
// Either thread is first. The second one finds the lock free, or announces itself, before the unlock or after it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define relaxed memory_order_relaxed
#define LOCKED 1u
#define PENDING 0x100u

static union {
    _Atomic uint32_t word;
    _Atomic uint16_t owned; // both bytes
    struct {
        _Atomic uint8_t locked, pending;
    };
} lock;
static int counter;

static void take(void)
{
    uint32_t free = 0;
    if (atomic_compare_exchange_strong_explicit(&lock.word, &free, LOCKED, memory_order_acquire, relaxed))
        return;
    // Somebody holds it: wait for that one, and take it over with one store.
    atomic_fetch_or_explicit(&lock.word, PENDING, relaxed);
    while (atomic_load_explicit(&lock.locked, memory_order_acquire))
        ;
    atomic_store_explicit(&lock.owned, LOCKED, relaxed);
}

static void leave(void)
{
    atomic_store_explicit(&lock.locked, 0, memory_order_release);
}

static void *work(void *arg)
{
    take();
    counter++;
    leave();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter - 2;
}
