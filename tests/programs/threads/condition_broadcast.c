// All wait for the start. Before it come none, one (either) or both (in two orders) of the two threads. Those that
// waited and those that come later then take the mutex in any order: 2 + 2 * 2 + 2 * 2 ways.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=10 blocked=0
// twin[rc11] broadcast->signal: violation=deadlock
// twin[rc11] `pthread_cond_destroy(&start); /* after */` -> `pthread_cond_destroy(&start); pthread_cond_signal(&start);`: violation=condition
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t start;
static int started, runs;

static void *runner(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (!started)
        pthread_cond_wait(&start, &mutex);
    runs++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutex_init(&mutex, 0);
    pthread_cond_init(&start, 0);
    pthread_create(&a, 0, runner, 0);
    pthread_create(&b, 0, runner, 0);
    pthread_mutex_lock(&mutex);
    started = 1;
    pthread_cond_broadcast(&start);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(runs == 2);
    pthread_cond_destroy(&start); /* after */
    return 0;
}
