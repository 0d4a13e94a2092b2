// Two bytes of one read, written by one thread. Source: Mixer, example 3.2.
// expect[sc,tso,rc11-ra]: verified complete=3 blocked=0
// expect[pso]: verified complete=4 blocked=0
// A read that sees the second write sees the first one, too, unless writes of different bytes may be swapped.
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

static void *reader(void *arg)
{
    atomic_load_explicit(&x.half[0], relaxed);
    return arg;
}

static void *writer(void *arg)
{
    atomic_store_explicit(&x.byte[0], 1, relaxed);
    atomic_store_explicit(&x.byte[1], 1, relaxed);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, reader, NULL);
    pthread_create(&t[1], NULL, writer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
