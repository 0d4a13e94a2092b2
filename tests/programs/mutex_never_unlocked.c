// A thread ends with the mutex locked, and another one waits for it.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=deadlock line=16
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *careless(void *arg)
{
    pthread_mutex_lock(&mutex);
    return arg;
}

static void *waiter(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, careless, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
