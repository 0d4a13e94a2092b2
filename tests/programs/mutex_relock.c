// Locking a mutex that the thread holds already never returns.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=deadlock line=9
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void inner(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_mutex_lock(&mutex);
    inner();
    pthread_mutex_unlock(&mutex);
    return 0;
}
