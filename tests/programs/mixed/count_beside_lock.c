// A reference count beside a lock byte: the last owner finds the count and a free lock in one word, and cleans up.
// expect[sc,rc11-ra]: verified complete=8 blocked=0
// twin[rc11-ra] acq_rel->release: violation=race line=38
// Either thread locks first; its subtraction comes before the three steps of the other, or after one of them. Acquire
// alone would do: the subtraction of the word carries on the release of the lock byte.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define ONE (1u << 16)

static union {
    _Atomic uint32_t word;
    struct {
        _Atomic uint8_t lock;
        uint8_t unused;
        _Atomic uint16_t count;
    };
} object = {.word = 2 * ONE};
static int data;

static void update(void)
{
    while (atomic_exchange_explicit(&object.lock, 1, memory_order_acquire))
        ;
    data++;
    atomic_store_explicit(&object.lock, 0, memory_order_release);
}

static void release(void)
{
    uint32_t old = atomic_fetch_sub_explicit(&object.word, ONE, memory_order_acq_rel);
    if (old >> 16 > 1)
        return;
    assert(old == ONE); // and nobody holds the lock
    assert(data == 2);
}

static void *owner(void *arg)
{
    update();
    release();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, owner, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
