// Freeing the middle of an object.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=invalid-free line=12
// twin[sc,rc11] `cells + 1` -> `cells + 1 - 1`: verified complete=1
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int *cells;

static void *worker(void *arg)
{
    free(cells + 1);
    return arg;
}

int main(void)
{
    pthread_t a;
    cells = calloc(2, sizeof *cells);
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    return 0;
}
