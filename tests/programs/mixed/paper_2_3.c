// A thread writes one byte and reads another, while both are written at once. Source: Mixer, example 2.3.
// expect[sc,rc11-ra,rc11]: verified complete=3 blocked=0
// expect[tso]: verified complete=4 blocked=0
// Two orders of byte 0, and two writes for byte 1. If the pair comes before the single byte, the read sees it: only
// under tso may the read overtake the write before it, because they share no byte.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define relaxed memory_order_relaxed

static union {
    _Atomic uint32_t word;
    _Atomic uint16_t half[2];
    _Atomic uint8_t byte[4];
} x;

static void *single(void *arg)
{
    atomic_store_explicit(&x.byte[0], 2, relaxed);
    atomic_load_explicit(&x.byte[1], relaxed);
    return arg;
}

static void *pair(void *arg)
{
    atomic_store_explicit(&x.half[0], 0x101, relaxed);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, single, NULL);
    pthread_create(&t[1], NULL, pair, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
