// A timed lock gets the mutex before or after the other thread, or gives up while that holds it.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=3 blocked=0
// twin[rc11] ETIMEDOUT->EBUSY: violation=assertion
// twin[rc11] `pthread_mutex_timedlock(&mutex, &soon)` -> `pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon)`: verified complete=3
// twin[rc11] `result == 0` -> `1`: violation=mutex
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *locker(void *arg)
{
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec soon = {0, 0};
    pthread_create(&t, 0, locker, 0);
    int result = pthread_mutex_timedlock(&mutex, &soon);
    if (result == 0) {
        x++;
        pthread_mutex_unlock(&mutex);
    } else {
        assert(result == ETIMEDOUT);
    }
    pthread_join(t, 0);
    return 0;
}
