// Unlocking a mutex that no thread holds.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=mutex line=10
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    return 0;
}
