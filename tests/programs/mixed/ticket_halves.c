// A ticket lock in one word: tickets are drawn from the whole, and the owner moves one half on. Source: Linux 2.6.
// expect[sc,rc11]: verified complete=6 blocked=0
// twin[rc11] release->relaxed: violation=race line=35
// Either thread is first. If the second draws its ticket after the unlock, it enters at once. If it draws it before, it
// writes back the owner's half, and the first thread sees that half as it or as the second one wrote it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static union {
    _Atomic uint32_t both;
    struct {
        _Atomic uint16_t owner, next;
    };
} tickets;
static int counter;

static uint16_t lock(void)
{
    uint16_t mine = atomic_fetch_add_explicit(&tickets.both, 1 << 16, memory_order_relaxed) >> 16;
    while (atomic_load_explicit(&tickets.owner, memory_order_acquire) != mine)
        ;
    return mine;
}

static void unlock(uint16_t mine)
{
    atomic_store_explicit(&tickets.owner, mine + 1, memory_order_release);
}

static void *work(void *arg)
{
    uint16_t mine = lock();
    counter++;
    unlock(mine);
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
