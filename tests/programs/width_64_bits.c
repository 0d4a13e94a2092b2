// A 64-bit value is read whole: no mixture of its halves.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=3 blocked=0
// The reader sees 0, or one of two writes of one thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic uint64_t x;

static void *writer(void *arg)
{
    atomic_store(&x, 0x1111111111111111u);
    atomic_store(&x, 0x2222222222222222u);
    return arg;
}

static void *reader(void *arg)
{
    uint64_t seen = atomic_load(&x);
    assert((uint32_t)seen == (uint32_t)(seen >> 32));
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
