// A ring of events with sequence numbers: producers claim a slot each, publish in that order, and one consumer follows.
// expect[sc,tso,rc11]: verified
// twin[rc11] `mine + 1, memory_order_release` -> `mine + 1, memory_order_relaxed`: violation=race lines=47,56
// twin[rc11] `memory_order_acquire) == next` -> `memory_order_relaxed) == next`: violation=race lines=47,56
// Who publishes after another producer hands on what that one has published.
// twin[rc11] `&ring->published, memory_order_acquire) != mine` -> `&ring->published, memory_order_relaxed) != mine`: violation=race lines=47,56
// A slot is filled again only after it was consumed.
// twin[rc11] `next + 1, memory_order_release` -> `next + 1, memory_order_relaxed`: violation=race line=47
// twin[rc11] `&ring->consumed, memory_order_acquire` -> `&ring->consumed, memory_order_relaxed`: violation=race line=47
// Two producers with the same slot.
// twin[sc,tso] `atomic_fetch_add_explicit(&ring->claimed, 1, memory_order_relaxed)` -> `ring->claimed; ring->claimed = mine + 1`: violation=liveness
// twin[rc11] `atomic_fetch_add_explicit(&ring->claimed, 1, memory_order_relaxed)` -> `ring->claimed; ring->claimed = mine + 1`: violation=race lines=47,47
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define SLOTS 2

struct ring {
    atomic_uint claimed;   // by producers
    atomic_uint published; // all before it may be consumed
    atomic_uint consumed;  // all before it may be filled again
    int events[SLOTS];
};

static struct ring ring;

static unsigned claim(struct ring *ring)
{
    unsigned mine = atomic_fetch_add_explicit(&ring->claimed, 1, memory_order_relaxed);
    while (mine - atomic_load_explicit(&ring->consumed, memory_order_acquire) >= SLOTS)
        ;
    return mine;
}

static void wait_for_turn(struct ring *ring, unsigned mine)
{
    while (atomic_load_explicit(&ring->published, memory_order_acquire) != mine)
        ;
}

static void publish(struct ring *ring, int event)
{
    unsigned mine = claim(ring);
    ring->events[mine % SLOTS] = event;
    wait_for_turn(ring, mine);
    atomic_store_explicit(&ring->published, mine + 1, memory_order_release);
}

static int consume(struct ring *ring, unsigned next)
{
    while (atomic_load_explicit(&ring->published, memory_order_acquire) == next)
        ;
    int event = ring->events[next % SLOTS];
    atomic_store_explicit(&ring->consumed, next + 1, memory_order_release);
    return event;
}

static void *producer(void *arg)
{
    publish(&ring, (int)(intptr_t)arg);
    return NULL;
}

int main(void)
{
    pthread_t producers[3];
    int sum = 0;
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&producers[i], NULL, producer, (void *)(i + 1));
    for (unsigned i = 0; i < 3; i++)
        sum += consume(&ring, i);
    for (int i = 0; i < 3; i++)
        pthread_join(producers[i], NULL);
    assert(sum == 1 + 2 + 3);
    return 0;
}
