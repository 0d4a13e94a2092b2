// A ticket lock serves threads in the order of their tickets.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// A lock that passes over a ticket leaves its owner waiting.
// twin[sc,tso,rc11] `now + 1` -> `now + 2`: violation=liveness
// twin[rc11] memory_order_release->memory_order_relaxed: violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int next, serving;
static int counter;

static void lock(void)
{
    int mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
        ;
}

static void unlock(void)
{
    int now = atomic_load_explicit(&serving, memory_order_relaxed);
    atomic_store_explicit(&serving, now + 1, memory_order_release);
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
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    return 0;
}
