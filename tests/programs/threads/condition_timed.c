// The reader comes after the message, is woken, or gives up: then it may take the mutex again before the writer
// comes, or after it.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=4 blocked=0
// twin[rc11] ETIMEDOUT->EBUSY: violation=assertion
// twin[rc11] `assert(ready || late);` -> `assert(ready);`: violation=assertion
// twin[rc11] `pthread_cond_timedwait(&changed, &mutex, &soon)` -> `pthread_cond_clockwait(&changed, &mutex, CLOCK_MONOTONIC, &soon)`: verified complete=4
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *reader(void *arg)
{
    struct timespec soon = {0, 0};
    int late = 0;
    pthread_mutex_lock(&mutex);
    while (!ready && !late) {
        int result = pthread_cond_timedwait(&changed, &mutex, &soon);
        assert(result == 0 || result == ETIMEDOUT);
        late = result == ETIMEDOUT;
    }
    assert(ready || late);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, 0);
    return 0;
}
