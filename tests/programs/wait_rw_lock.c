// A read-write lock: the writer waits until there are no readers.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// A reader leaves without saying so.
// twin[sc,tso,rc11] `atomic_fetch_sub_explicit(&readers, 1, memory_order_release);` -> ``: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define WRITER 100

static atomic_int readers;
static int data;

static void *reader(void *arg)
{
    int count;
    do
        count = atomic_load_explicit(&readers, memory_order_relaxed);
    while (count >= WRITER || !atomic_compare_exchange_strong_explicit(&readers, &count, count + 1, memory_order_acquire, memory_order_relaxed));
    assert(data % 2 == 0);
    atomic_fetch_sub_explicit(&readers, 1, memory_order_release);
    return arg;
}

static void *writer(void *arg)
{
    int none;
    do
        none = 0;
    while (!atomic_compare_exchange_strong_explicit(&readers, &none, WRITER, memory_order_acquire, memory_order_relaxed));
    data += 2;
    atomic_store_explicit(&readers, 0, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
