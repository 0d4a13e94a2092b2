// Attempts that may give up. The reader is in before, or has gone, or is there: then writing fails, and reading does not.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=3
// twin[rc11] `== EBUSY` -> `== ETIMEDOUT`: violation=assertion
// twin[rc11] `pthread_rwlock_trywrlock(&lock)` -> `pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soon)`: violation=assertion
// twin[rc11] `pthread_rwlock_rdlock(&lock);` -> ``: violation=rwlock
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec soon = {0, 0};
    assert(pthread_rwlock_timedrdlock(&lock, &soon) == 0);
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &soon) == 0);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_create(&t, 0, reader, 0);
    int result = pthread_rwlock_trywrlock(&lock);
    assert(result == 0 || result == EBUSY);
    if (result == 0)
        pthread_rwlock_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
