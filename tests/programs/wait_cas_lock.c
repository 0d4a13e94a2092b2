// A lock that is taken by a compare-exchange.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// On one path the lock is never released.
// twin[sc,tso,rc11] `atomic_store_explicit(&taken, 0, memory_order_release);` -> `if (counter != 1) atomic_store_explicit(&taken, 0, memory_order_release);`: violation=liveness
// twin[rc11] memory_order_release->memory_order_relaxed: violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int taken;
static int counter;

static void lock(void)
{
    int free;
    do
        free = 0;
    while (!atomic_compare_exchange_weak_explicit(&taken, &free, 1, memory_order_acquire, memory_order_relaxed));
}

static void unlock(void)
{
    atomic_store_explicit(&taken, 0, memory_order_release);
}

static void *thread(void *arg)
{
    lock();
    counter++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(counter == 3);
    return 0;
}
