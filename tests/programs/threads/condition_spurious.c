// Waiting may end without a signal, so what is waited for has to be looked at again.
// The reader comes second; or it is woken by the signal; or it wakes up before that, and takes the mutex again before
// the writer, which it then waits for, or after it. One execution is blocked: it was woken when it chose not to be.
// mazurka: --spurious-wakeups
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=4 blocked=1
// twin[rc11] `while (!ready)` -> `if (!ready)`: violation=assertion line=30
// twin[rc11] `pthread_cond_signal(&changed);` -> ``: violation=deadlock
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *writer(void *arg)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *reader(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&changed, &mutex);
    assert(ready);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
