// One thread reads what another frees.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=freed
// twin[sc,rc11] `pthread_create(&a, NULL, owner, NULL);` -> `pthread_create(&b, NULL, reader, NULL); pthread_join(b, NULL); owner(NULL); return 0;`: verified complete=1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int *cell;

static void *owner(void *arg)
{
    free(cell);
    return arg;
}

static void *reader(void *arg)
{
    atomic_load(cell);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    cell = malloc(sizeof *cell);
    atomic_init(cell, 1);
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
