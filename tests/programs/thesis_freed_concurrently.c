// An object that one thread frees while another accesses it (thesis §9.2.3.4). A relaxed flag does not order the access
// before the free.
// expect[rc11,rc11-cpp11]: violation=freed
// expect[sc,tso,pso]: verified complete=2
// twin[sc,tso,rc11] `if (atomic_load_explicit(&done, SEEN))` -> `atomic_load_explicit(&done, SEEN);`: violation=freed
// twin[rc11,rc11-cpp11] `SET = memory_order_relaxed, SEEN = memory_order_relaxed` -> `SET = memory_order_release, SEEN = memory_order_acquire`: verified complete=2
// twin[sc,rc11] `atomic_store_explicit(&done, 1, SET);` -> `free(cell); atomic_store(&done, 1);`: violation=double-free line=29
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SET = memory_order_relaxed, SEEN = memory_order_relaxed };

static atomic_int *cell;
static atomic_int done;

static void *use(void *arg)
{
    atomic_store_explicit(cell, 1, memory_order_relaxed);
    atomic_store_explicit(&done, 1, SET);
    return arg;
}

static void *release(void *arg)
{
    if (atomic_load_explicit(&done, SEEN))

        // the other thread has said that it is done
        free(cell);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    cell = malloc(sizeof *cell);
    pthread_create(&one, NULL, use, NULL);
    pthread_create(&two, NULL, release, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
