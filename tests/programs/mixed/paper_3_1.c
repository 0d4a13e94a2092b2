// Two bytes of one read come from two threads, or from initial memory. Source: Mixer, examples 3.1 and 3.3.
// expect[sc,tso,pso,ra,rc11]: verified complete=4 blocked=0
// Two writes for each of two bytes.
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

static void *first(void *arg)
{
    atomic_store_explicit(&x.byte[0], 1, relaxed);
    return arg;
}

static void *second(void *arg)
{
    atomic_store_explicit(&x.byte[1], 1, relaxed);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, reader, NULL);
    pthread_create(&t[1], NULL, first, NULL);
    pthread_create(&t[2], NULL, second, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
