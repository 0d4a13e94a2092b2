// A writer holds the lock for a while: attempts to read succeed before and after, and fail in between.
// The attempt sees the lock free at first, taken, or free again.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=3
// twin[rc11] `EBUSY` -> `ETIMEDOUT`: violation=assertion
// twin[rc11] `tryrdlock(&lock)` -> `timedrdlock(&lock, &soon)`: violation=assertion
// twin[rc11] `tryrdlock(&lock)` -> `trywrlock(&lock)`: verified complete=3
// twin[rc11] `pthread_rwlock_init(&lock, &attributes);` -> `pthread_rwlock_init(&lock, &attributes); pthread_rwlock_wrlock(&lock); pthread_rwlock_wrlock(&lock);`: violation=deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock;
static int x;

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t w;
    pthread_rwlockattr_t attributes;
    struct timespec soon = {0, 0};
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE);
    pthread_rwlock_init(&lock, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    pthread_create(&w, 0, writer, 0);
    int result = pthread_rwlock_tryrdlock(&lock);
    if (result == 0) {
        assert(x == 0 || x == 1);
        pthread_rwlock_unlock(&lock);
    } else {
        assert(result == EBUSY);
    }
    pthread_join(w, 0);
    assert(pthread_rwlock_timedwrlock(&lock, &soon) == 0);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
    return 0;
}
