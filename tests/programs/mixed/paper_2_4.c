// A read-modify-write of a whole word, beside a write and a read of its bytes. Source: Mixer, example 2.4.
// expect[sc,rc11-ra]: verified complete=6 blocked=0
// expect[tso]: verified complete=8 blocked=0
// The update comes before or after the write of byte 1. If it comes before that of byte 0, the read of byte 2 sees it,
// otherwise it may or may not: three ways (under tso four, as in example 2.3).
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

static void *first(void *arg)
{
    atomic_store_explicit(&x.byte[0], 2, relaxed);
    atomic_load_explicit(&x.byte[2], relaxed);
    return arg;
}

static void *update(void *arg)
{
    atomic_fetch_add_explicit(&x.word, 0x1010101, relaxed);
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
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, update, NULL);
    pthread_create(&t[2], NULL, second, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
