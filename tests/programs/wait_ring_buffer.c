// A ring buffer with one place, one producer and one consumer: each waits for the other's index.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// The consumer says that it is done with the place before it has come to it.
// twin[sc,tso,rc11] `atomic_store_explicit(&taken, i + 1, memory_order_release);` -> `atomic_store_explicit(&taken, i, memory_order_release);`: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int put, taken;
static int place;

static void *producer(void *arg)
{
    for (int i = 0; i < 2; i++) {
        while (atomic_load_explicit(&taken, memory_order_acquire) != i)
            ;
        place = i + 1;
        atomic_store_explicit(&put, i + 1, memory_order_release);
    }
    return arg;
}

static void *consumer(void *arg)
{
    for (int i = 0; i < 2; i++) {
        while (atomic_load_explicit(&put, memory_order_acquire) != i + 1)
            ;
        assert(place == i + 1);
        atomic_store_explicit(&taken, i + 1, memory_order_release);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
