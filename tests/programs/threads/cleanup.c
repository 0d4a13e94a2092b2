// Functions that pthread_cleanup_push announces are called by pthread_exit, newest first, or when they are popped.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
// twin[rc11] `pthread_exit(arg);` -> ``: violation=assertion
// twin[rc11] `pthread_cleanup_push(unlock, &mutex);` -> `pthread_cleanup_push(keep, &mutex);`: violation=deadlock
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int popped, steps;

static void unlock(void *arg)
{
    assert(++steps == 2);
    pthread_mutex_unlock(arg);
}

static void keep(void *arg)
{
    (void)arg;
}

static void count(void *arg)
{
    assert(++steps == 1);
    ++*(int *)arg;
}

static void leave(void *arg)
{
    int local = 0;
    pthread_cleanup_push(count, &local);
    pthread_exit(arg);
    pthread_cleanup_pop(0);
}

static void *run(void *arg)
{
    pthread_cleanup_push(keep, 0);
    pthread_cleanup_pop(1);
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    leave(arg);
    pthread_cleanup_pop(0);
    assert(0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_cleanup_push(count, &popped);
    pthread_cleanup_pop(1);
    assert(popped == 1);
    steps = 0;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
