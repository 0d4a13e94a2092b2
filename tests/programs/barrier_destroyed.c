// A barrier is destroyed although threads may still come to it, or wait at it.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=barrier
// twin[sc,rc11] `pthread_barrier_destroy(&barrier);` -> `pthread_join(a, NULL), pthread_join(b, NULL), pthread_barrier_destroy(&barrier);`: verified complete=1 blocked=0
// twin[sc,rc11] `pthread_barrier_destroy(&barrier);` -> `pthread_barrier_init(&barrier, NULL, 2);`: violation=barrier line=22
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;

static void *worker(void *arg)
{
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
