// One thread writes to an object that another has freed.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=freed line=22
// twin[sc,rc11] `atomic_store(cell, 2)` -> `cell = NULL`: verified complete=2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int *cell;
static atomic_int freed;

static void *owner(void *arg)
{
    free(cell);
    atomic_store(&freed, 1);
    return arg;
}

static void *user(void *arg)
{
    if (atomic_load(&freed))
        atomic_store(cell, 2);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    cell = malloc(sizeof *cell);
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
