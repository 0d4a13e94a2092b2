// A flag is meant to say that the object is no longer used, but it is set too early.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=freed
// twin[sc,rc11] `atomic_store(&unused, 1);` -> `atomic_store(cell, 1); atomic_store(&unused, 1); return arg;`: verified complete=2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int *cell;
static atomic_int unused;

static void *user(void *arg)
{
    atomic_store(&unused, 1);
    atomic_store(cell, 2);
    return arg;
}

static void *owner(void *arg)
{
    if (atomic_load(&unused))
        free(cell);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    cell = malloc(sizeof *cell);
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, owner, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
