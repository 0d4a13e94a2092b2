// Two threads free the same object.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=double-free line=12
// twin[sc,rc11] `free(cell);` -> `free(__atomic_exchange_n(&cell, 0, __ATOMIC_ACQ_REL));`: verified
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int *cell;

static void *worker(void *arg)
{
    free(cell);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    cell = malloc(sizeof *cell);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
