// Two read-modify-writes, of a word and of half of it. Source: Mixer, example 4.1, with two sizes.
// expect[sc,rc11-ra]: verified complete=2 blocked=0
// One of them comes first, and the other sees it.
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

static void *word(void *arg)
{
    atomic_fetch_add_explicit(&x.word, 1, relaxed);
    return arg;
}

static void *half(void *arg)
{
    atomic_fetch_add_explicit(&x.half[0], 1, relaxed);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, word, NULL);
    pthread_create(&t[1], NULL, half, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
