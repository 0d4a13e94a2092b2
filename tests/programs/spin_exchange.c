// A lock that exchanges: on a lock that is taken this writes back what was there, and changes nothing.
// expect[sc,tso,pso,ra,rc11,rc11-cpp11]: verified complete=6
// The three critical sections come in some order.
// twin[sc] `while (take())` -> `while (0 && take())`: violation=assertion
// twin[rc11] `while (take())` -> `while (0 && take())`: violation=race
// twin[rc11] memory_order_acquire->memory_order_relaxed: violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int lock;
static atomic_int inside;
static int count;

static int take(void)
{
    return atomic_exchange_explicit(&lock, 1, memory_order_acquire);
}

static void *worker(void *arg)
{
    while (take())
        ;
    assert(atomic_load_explicit(&inside, memory_order_relaxed) == 0);
    atomic_store_explicit(&inside, 1, memory_order_relaxed);
    count++;
    atomic_store_explicit(&inside, 0, memory_order_relaxed);
    atomic_store_explicit(&lock, 0, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(count == 3);
    return 0;
}
