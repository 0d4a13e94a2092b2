// A thread locks a mutex that it holds already.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=deadlock line=10
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void inner(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void *outer(void *arg)
{
    pthread_mutex_lock(&mutex);
    inner();
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, outer, NULL);
    pthread_join(a, NULL);
    return 0;
}
