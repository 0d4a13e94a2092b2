// An index that two threads advance runs past the end of the object.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=unallocated line=14
// twin[sc,rc11] `calloc(1,` -> `calloc(2,`: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static int *cells;
static atomic_int next;

static void *append(void *arg)
{
    cells[atomic_fetch_add(&next, 1)] = 7;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    cells = calloc(1, sizeof *cells);
    pthread_create(&a, NULL, append, NULL);
    pthread_create(&b, NULL, append, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
