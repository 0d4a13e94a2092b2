// A barrier for three threads, which only two reach.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=deadlock line=13
// twin[sc,rc11] `NULL, 3)` -> `NULL, 2)`: verified complete=1 blocked=0
// twin[sc,rc11] `NULL, 3)` -> `NULL, 0)`: violation=barrier line=20
// twin[sc,rc11] `    pthread_barrier_init(&barrier, NULL, 3);` -> ``: violation=barrier line=13
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
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
