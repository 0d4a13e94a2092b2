// A seqlock: the reader repeats if a writer was there in the meantime.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// A writer that never ends its section.
// twin[sc,tso,rc11] `atomic_store_explicit(&version, 2, memory_order_release);` -> ``: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int version, first, second;

static void *writer(void *arg)
{
    atomic_store_explicit(&version, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&first, 1, memory_order_relaxed);
    atomic_store_explicit(&second, 1, memory_order_relaxed);
    atomic_store_explicit(&version, 2, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    int before, after, a, b;
    do {
        before = atomic_load_explicit(&version, memory_order_acquire);
        a = atomic_load_explicit(&first, memory_order_relaxed);
        b = atomic_load_explicit(&second, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&version, memory_order_relaxed);
    } while (before != after || before % 2);
    assert(a == b);
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
