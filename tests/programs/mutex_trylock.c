// trylock succeeds before or after the other's critical section, and fails during it.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=3
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int x;

static void *locker(void *arg)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    x = 1;
    x = 2;
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *trier(void *arg)
{
    if (pthread_mutex_trylock(&mutex) == 0) {
        assert(x != 1);
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, locker, NULL);
    pthread_create(&b, NULL, trier, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
