// Memory safety under rc11 (thesis §9.2.3.4): a relaxed flag does not make the allocation visible to who sees the flag.
// expect[rc11,rc11-cpp11]: violation=unallocated line=29
// expect[sc,tso]: verified complete=2
// expect[pso]: violation=uninitialized line=29
// twin[rc11,rc11-cpp11] `FLAG = memory_order_relaxed, SEEN = memory_order_relaxed` -> `FLAG = memory_order_release, SEEN = memory_order_acquire`: verified complete=2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

enum { FLAG = memory_order_relaxed, SEEN = memory_order_relaxed };

static atomic_int *_Atomic r;
static atomic_int y;

static void *allocate(void *arg)
{
    atomic_int *made = malloc(sizeof *made);
    atomic_store_explicit(&r, made, memory_order_relaxed);
    atomic_store_explicit(made, 42, memory_order_relaxed);
    atomic_store_explicit(&y, 1, FLAG);
    return arg;
}

static void *access_it(void *arg)
{
    int a = atomic_load_explicit(&y, SEEN);
    atomic_int *place = a == 1 ? atomic_load_explicit(&r, memory_order_relaxed) : NULL;
    if (place) atomic_load_explicit(place, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, allocate, NULL);
    pthread_create(&two, NULL, access_it, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
