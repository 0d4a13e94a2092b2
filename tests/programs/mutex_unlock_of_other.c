// Unlocking a mutex that another thread holds.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=mutex line=21
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static atomic_int held;

static void *owner(void *arg)
{
    pthread_mutex_lock(&mutex);
    atomic_store(&held, 1);
    return arg;
}

static void *thief(void *arg)
{
    if (atomic_load(&held))
        pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
