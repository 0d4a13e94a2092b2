// A thread takes a mutex again and again to look whether a flag is set.
// expect[sc,tso,rc11,rc11-cpp11]: verified
// The flag is set only if the other thread has been there.
// twin[sc,rc11] `ready = 1;` -> `if (looked) ready = 0;`: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready, looked;

static void *setter(void *arg)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *poller(void *arg)
{
    int seen;
    do {
        pthread_mutex_lock(&mutex);
        seen = ready;
        pthread_mutex_unlock(&mutex);
    } while (!seen);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, setter, NULL);
    pthread_create(&b, NULL, poller, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
