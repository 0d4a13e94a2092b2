// Threads that were woken do not need the condition variable any more: it may be destroyed, and its memory freed.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// twin[rc11] `pthread_cond_broadcast(&gate->opened);` -> ``: violation=condition
#include <pthread.h>
#include <stdlib.h>

struct gate {
    int closed;
    pthread_cond_t opened;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct gate *gate;

static void *passer(void *arg)
{
    pthread_mutex_lock(&mutex);
    if (gate && gate->closed)
        pthread_cond_wait(&gate->opened, &mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    gate = malloc(sizeof *gate);
    gate->closed = 1;
    pthread_cond_init(&gate->opened, 0);
    pthread_create(&t, 0, passer, 0);
    pthread_mutex_lock(&mutex);
    gate->closed = 0;
    pthread_cond_broadcast(&gate->opened);
    pthread_cond_destroy(&gate->opened);
    free(gate);
    gate = 0;
    pthread_mutex_unlock(&mutex);
    pthread_join(t, 0);
    return 0;
}
