// Main returns while one thread joins another that waits for main's mutex: the process ends, and there is no deadlock.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=1 blocked=0
// twin[sc,rc11] `return 0;` -> `pthread_exit(NULL);`: violation=deadlock line=11
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&mutex);
    return arg;
}

static void *parent(void *arg)
{
    pthread_t child;
    pthread_create(&child, NULL, waiter, NULL);
    pthread_join(child, NULL);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, parent, NULL);
    return 0;
}
