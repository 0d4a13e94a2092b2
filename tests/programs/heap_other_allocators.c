// calloc clears, realloc keeps the contents, aligned_alloc aligns, free(NULL) does nothing.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static int *shared;

static void *worker(void *arg)
{
    int *cells = calloc(2, sizeof *cells);
    assert(cells[0] == 0 && cells[1] == 0);
    cells[1] = 8;
    cells = realloc(cells, 4 * sizeof *cells);
    cells[3] = 9;
    shared = cells;
    char *block = aligned_alloc(64, 128);
    assert((uintptr_t)block % 64 == 0);
    free(block);
    free(NULL);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    assert(shared[1] == 8 && shared[3] == 9);
    free(shared);
    return 0;
}
