// Two threads free the same object.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=double-free line=11
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
