// A read of four bytes, and three writes of one or two of them. Source: Mixer, example 3.4.
// expect[sc,tso,rc11-ra]: verified complete=12 blocked=0
// Six orders of the read and the two writes of byte 0, each another execution, and two writes for bytes 2 and 3.
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

static void *byte(void *arg)
{
    atomic_store_explicit(&x.byte[0], 2, relaxed);
    return arg;
}

static void *reader(void *arg)
{
    atomic_load_explicit(&x.word, relaxed);
    return arg;
}

static void *low(void *arg)
{
    atomic_store_explicit(&x.half[0], 0x101, relaxed);
    return arg;
}

static void *high(void *arg)
{
    atomic_store_explicit(&x.half[1], 0x101, relaxed);
    return arg;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], NULL, byte, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_create(&t[2], NULL, low, NULL);
    pthread_create(&t[3], NULL, high, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
