// A thread that is blocked by an assumption holds the mutex: waiting for it is not a deadlock.
// mazurka: --no-load-annotations
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=1
// With the flag set, the mutex is taken in either order; without it, the holder keeps the mutex for good.
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static atomic_int flag;

static void *setter(void *arg)
{
    atomic_store(&flag, 1);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *holder(void *arg)
{
    pthread_mutex_lock(&mutex);
    __VERIFIER_assume(atomic_load(&flag));
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
