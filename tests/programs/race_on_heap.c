// A node is published by a relaxed store: a thread that finds it must not look inside.
// expect[rc11,rc11-ra,rc11-cpp11,rc11-genmc]: violation=race line=27
// expect[sc,tso]: verified
// twin[rc11] `RELAXED memory_order_relaxed` -> `RELAXED memory_order_seq_cst`: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define RELAXED memory_order_relaxed

static int *_Atomic node;

static void *publisher(void *arg)
{
    int *fresh = malloc(sizeof *fresh);
    *fresh = 7;
    atomic_store_explicit(&node, fresh, RELAXED);
    return arg;
}

static void *finder(void *arg)
{
    int *found = atomic_load_explicit(&node, RELAXED);
    if (!found)
        return arg;
    assert(*found == 7);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, publisher, NULL);
    pthread_create(&b, NULL, finder, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
