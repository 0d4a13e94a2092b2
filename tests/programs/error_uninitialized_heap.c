// A node is published before its value is filled in.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=uninitialized line=24
// twin[sc,rc11] `atomic_store(&box, cell);` -> `atomic_store(cell, 3); atomic_store(&box, cell); return arg;`: verified complete=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic(atomic_int *) box;

static void *writer(void *arg)
{
    atomic_int *cell = malloc(sizeof *cell);
    atomic_store(&box, cell);
    atomic_store(cell, 3);
    return arg;
}

static void *reader(void *arg)
{
    atomic_int *cell = atomic_load(&box);
    if (cell)
        assert(atomic_load(cell) == 3);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
