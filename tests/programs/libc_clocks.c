// A deadline is computed from the clock. Clocks stand still: a timed lock may give up all the same, or not.
// Writer first: 1 execution. Reader first: the writer gets the mutex later, or gives up before, so that is 2.
// expect[sc,tso,pso,rc11]: verified complete=3 blocked=0
// twin[rc11] `clock_gettime(CLOCK_REALTIME, &deadline);` -> `timespec_get(&deadline, TIME_UTC);`: verified complete=3
// twin[rc11] `clock_gettime(CLOCK_REALTIME, &deadline);` -> ``: violation=uninitialized line=22
// twin[rc11] `now.tv_sec - start.tv_sec` -> `start.tv_sec`: violation=assertion line=48
// twin[rc11] `== 0) {` -> `!= 1) {`: violation=race
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *writer(void *arg)
{
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec += 600000000;
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_sec++;
        deadline.tv_nsec -= 1000000000;
    }
    if (pthread_mutex_timedlock(&mutex, &deadline) == 0) {
        shared++;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    struct timeval start, now;
    struct timespec resolution;
    gettimeofday(&start, NULL);
    clock_getres(CLOCK_MONOTONIC, &resolution);
    assert(resolution.tv_nsec > 0 && difftime(start.tv_sec, start.tv_sec - 2) == 2.0);
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    gettimeofday(&now, NULL);
    assert(now.tv_sec - start.tv_sec == 0 && now.tv_usec == start.tv_usec);
    return 0;
}
