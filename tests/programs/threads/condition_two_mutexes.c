// Two threads wait on one condition variable with different mutexes at the same time, which POSIX leaves undefined.
// expect[sc,tso,pso,rc11,rc11-cpp11]: violation=condition
// twin[rc11] `wait_with(&right, &right_ready)` -> `wait_with(&left, &left_ready)`: verified blocked=0
// twin[rc11] `pthread_create(&b, NULL, second, NULL); /* meanwhile */` -> ``: verified blocked=0
// twin[rc11] `/* later */` -> `left_ready = 1; right_ready = 1;`: verified blocked=0
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
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
    pthread_cond_broadcast(&changed);
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
    pthread_cond_init(&changed, NULL);
    /* later */
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL); /* meanwhile */
    set(&left, &left_ready);
    pthread_join(a, NULL);
    set(&right, &right_ready);
    return 0;
}
