// Destroying a mutex that another thread holds is a misuse.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=mutex line=27
#include <pthread.h>
#include <stdatomic.h>

#include <mazurka.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside;

static void *holder(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    atomic_store(&inside, 1);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, holder, NULL);
    __VERIFIER_assume(atomic_load(&inside));
    // The holder may still be inside.

    pthread_mutex_destroy(&lock);
    pthread_join(thread, NULL);
    return 0;
}
