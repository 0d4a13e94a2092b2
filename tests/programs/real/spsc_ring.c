// A ring for one producer and one consumer, each of which keeps a copy of the other's index.
// expect[sc,tso,rc11]: verified
// twin[rc11] `tail + 1, memory_order_release` -> `tail + 1, memory_order_relaxed`: violation=race lines=40,53
// twin[rc11] `&ring->tail, memory_order_acquire` -> `&ring->tail, memory_order_relaxed`: violation=race lines=40,53
// The producer writes a slot that the consumer still reads.
// twin[rc11] `head + 1, memory_order_release` -> `head + 1, memory_order_relaxed`: violation=race lines=40,53
// twin[rc11] `&ring->head, memory_order_acquire` -> `&ring->head, memory_order_relaxed`: violation=race lines=40,53
// Off by one: a slot more than there is.
// twin[rc11] `== SLOTS) { // full` -> `== SLOTS + 1) { // full`: violation=assertion line=73
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SLOTS 2u

struct packet {
    unsigned number, check;
};

struct ring {
    _Alignas(64) atomic_uint tail; // written by the producer
    unsigned head_seen;            // the producer's copy of head
    _Alignas(64) atomic_uint head; // written by the consumer
    unsigned tail_seen;            // the consumer's copy of tail
    _Alignas(64) struct packet slots[SLOTS];
};

static struct ring ring;

static bool ring_put(struct ring *ring, struct packet packet)
{
    unsigned tail = atomic_load_explicit(&ring->tail, memory_order_relaxed); // our own
    if (tail - ring->head_seen == SLOTS) { // full, as far as we know
        ring->head_seen = atomic_load_explicit(&ring->head, memory_order_acquire);
        if (tail - ring->head_seen == SLOTS)
            return false;
    }
    ring->slots[tail % SLOTS] = packet;
    atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
    return true;
}

static bool ring_get(struct ring *ring, struct packet *packet)
{
    unsigned head = atomic_load_explicit(&ring->head, memory_order_relaxed); // our own
    if (head == ring->tail_seen) {
        ring->tail_seen = atomic_load_explicit(&ring->tail, memory_order_acquire);
        if (head == ring->tail_seen)
            return false;
    }
    *packet = ring->slots[head % SLOTS];
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
    return true;
}

static void *producer(void *arg)
{
    unsigned *sent = arg;
    for (unsigned i = 0; i < 4; i++)
        if (ring_put(&ring, (struct packet){.number = *sent, .check = ~*sent}))
            ++*sent;
    return NULL;
}

static void *consumer(void *arg)
{
    unsigned *received = arg;
    struct packet packet;
    for (int i = 0; i < 3; i++)
        if (ring_get(&ring, &packet)) {
            assert(packet.number == *received && packet.check == ~packet.number);
            ++*received;
        }
    return NULL;
}

int main(void)
{
    pthread_t producing, consuming;
    unsigned sent = 0, received = 0;
    pthread_create(&producing, NULL, producer, &sent);
    pthread_create(&consuming, NULL, consumer, &received);
    pthread_join(producing, NULL);
    pthread_join(consuming, NULL);
    struct packet packet;
    while (ring_get(&ring, &packet))
        assert(packet.number == received++);
    assert(received == sent && sent >= SLOTS);
    return 0;
}
