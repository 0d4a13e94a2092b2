// The serial thread destroys and frees the barrier, which the others may not have left yet; they no longer need it.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=2 blocked=0
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *worker(void *arg)
{
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(barrier);
        free(barrier);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    return 0;
}
