// A ring of bytes for one writer and one reader, with messages of several sizes: bytes are used again in another size.
// expect[sc,rc11]: verified complete=3 blocked=0
// twin[rc11] `release); // read` -> `relaxed);`: violation=race line=72
// twin[rc11] `release); // written` -> `relaxed);`: violation=race line=84
// Only the last two messages overlap in time: the reader sees the second one with or without the third, or the writer
// sends the third one after it was read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SIZE 4
#define relaxed memory_order_relaxed

static uint8_t ring[SIZE];
static atomic_uint head, tail; // bytes written, bytes read

static void await(atomic_uint *place, unsigned least)
{
    while (atomic_load_explicit(place, memory_order_acquire) < least)
        ;
}

static unsigned reserve(unsigned size)
{
    unsigned at = atomic_load_explicit(&head, relaxed);
    if (at + size > SIZE)
        await(&tail, at + size - SIZE);
    return at;
}

static void publish(unsigned end)
{
    atomic_store_explicit(&head, end, memory_order_release); // written
}

static unsigned next(unsigned size)
{
    unsigned at = atomic_load_explicit(&tail, relaxed);
    await(&head, at + size);
    return at;
}

static void discard(unsigned end)
{
    atomic_store_explicit(&tail, end, memory_order_release); // read
}

// A copy of a constant size is one access.
#define send(message)                                       \
    do {                                                    \
        unsigned at = reserve(sizeof message);              \
        memcpy(&ring[at % SIZE], &message, sizeof message); \
        publish(at + sizeof message);                       \
    } while (0)

#define receive(message)                                    \
    do {                                                    \
        unsigned at = next(sizeof message);                 \
        memcpy(&message, &ring[at % SIZE], sizeof message); \
        discard(at + sizeof message);                       \
    } while (0)

static void *writer(void *arg)
{
    uint32_t word = 0x04030201;
    uint16_t half = 0x0605;
    uint8_t byte = 7;
    send(word);
    send(half);
    send(byte);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, writer, NULL);
    uint32_t word;
    uint16_t half;
    uint8_t byte;
    receive(word);
    receive(half);
    receive(byte);
    assert(word == 0x04030201 && half == 0x0605 && byte == 7);
    pthread_join(a, NULL);
    return 0;
}
