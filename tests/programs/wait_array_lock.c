// Anderson's lock: each thread waits at a slot of its own, and the one before it opens that slot.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// The holder opens its own slot instead of the next one.
// twin[sc,tso,rc11] `(mine + 1) % SLOTS` -> `mine`: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define SLOTS 2

static atomic_int open[SLOTS] = {1, 0}, next;
static int counter;

static void *thread(void *arg)
{
    unsigned mine = (unsigned)atomic_fetch_add_explicit(&next, 1, memory_order_relaxed) % SLOTS;
    while (!atomic_load_explicit(&open[mine], memory_order_acquire))
        ;
    atomic_store_explicit(&open[mine], 0, memory_order_relaxed);
    counter++;
    atomic_store_explicit(&open[(mine + 1) % SLOTS], 1, memory_order_release);
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
