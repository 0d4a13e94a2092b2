// Freeing something that malloc did not return.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=invalid-free line=13
// twin[sc,rc11] `free(pointer)` -> `free(pointer == &cell ? NULL : pointer)`: verified complete=1
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int cell;
static int *pointer = &cell;

static void *worker(void *arg)
{
    free(pointer);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    return 0;
}
