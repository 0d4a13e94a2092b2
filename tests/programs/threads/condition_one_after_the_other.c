// A condition variable is used with one mutex, and later, when nobody waits on it any more, with another one.
// Each of the two waiting threads comes before the thread that wakes it, or after it: 2 * 2 ways.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=4 blocked=0
// twin[rc11] `pthread_join(a, NULL); /* between */` -> ``: verified blocked=0
// twin[rc11] `set(&left, &left_ready);` -> ``: violation=deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int left_ready, right_ready;

static void wait_with(pthread_mutex_t *mutex, const int *ready)
{
    pthread_mutex_lock(mutex);
    while (!*ready)
        pthread_cond_wait(&changed, mutex);
    pthread_mutex_unlock(mutex);
}

static void set(pthread_mutex_t *mutex, int *ready)
{
    pthread_mutex_lock(mutex);
    *ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(mutex);
}

static void *first(void *arg)
{
    wait_with(&left, &left_ready);
    return arg;
}

static void *second(void *arg)
{
    wait_with(&right, &right_ready);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    set(&left, &left_ready);
    pthread_join(a, NULL); /* between */
    pthread_create(&b, NULL, second, NULL);
    set(&right, &right_ready);
    pthread_join(b, NULL);
    return 0;
}
