// A message is handed over: the reader waits until it is there. Either thread may take the mutex first.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
// twin[rc11] `while (!ready)` -> ``: violation=deadlock line=19
// twin[rc11] `pthread_cond_signal(&changed);` -> ``: violation=deadlock line=19
// twin[rc11] `pthread_cond_wait(&changed, &mutex);` -> `pthread_mutex_unlock(&mutex), pthread_cond_wait(&changed, &mutex);`: violation=mutex
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, message;

static void *reader(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        // The signal may have come before.
        // Then nobody wakes the thread.
        pthread_cond_wait(&changed, &mutex);
    assert(message == 42);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    pthread_mutex_lock(&mutex);
    message = 42;
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, 0);
    return 0;
}
