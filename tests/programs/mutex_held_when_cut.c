// A thread that is cut by the loop bound holds the mutex: waiting for it is not a deadlock.
// mazurka: --no-spin-assume --no-dynamic-spin-assume --unroll 1
// expect[sc,tso,pso,rc11,rc11-cpp11]: bounded complete=1 blocked=1
// The setter comes first and the loop ends at once, or the holder does and waits in vain.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static atomic_int flag;

static void *setter(void *arg)
{
    pthread_mutex_lock(&mutex);
    atomic_store(&flag, 1);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *holder(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (!atomic_load(&flag))
        ;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, setter, NULL);
    pthread_create(&b, NULL, holder, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
