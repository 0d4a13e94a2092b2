// Main returns with the mutex locked: the process ends, so a thread that waits for the mutex is not a deadlock.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=2 blocked=0
// The other thread waits, or has taken the mutex and given it back before.
// twin[sc,rc11] `return 0;` -> `pthread_exit(NULL);`: violation=deadlock line=12
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    return 0;
}
