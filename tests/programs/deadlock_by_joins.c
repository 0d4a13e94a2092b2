// Two threads that join each other wait forever.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=deadlock
#include <pthread.h>
#include <stdatomic.h>

#include <mazurka.h>

static pthread_t first, second;
static atomic_int ready;

static void *joins_second(void *arg)
{
    (void)arg;
    __VERIFIER_assume(atomic_load(&ready));
    pthread_join(second, NULL);
    return NULL;
}

static void *joins_first(void *arg)
{
    (void)arg;
    __VERIFIER_assume(atomic_load(&ready));
    pthread_join(first, NULL);
    return NULL;
}

int main(void)
{
    pthread_create(&first, NULL, joins_second, NULL);
    pthread_create(&second, NULL, joins_first, NULL);
    atomic_store(&ready, 1);
    pthread_join(first, NULL);
    return 0;
}
