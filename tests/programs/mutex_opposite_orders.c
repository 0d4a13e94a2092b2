// Two mutexes taken in opposite orders: each thread can hold one and wait for the other.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *left(void *arg)
{
    both(&one, &two);
    return arg;
}

static void *right(void *arg)
{
    both(&two, &one);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
