// __VERIFIER_assert with a message-less condition, from mazurka.h.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=assertion line=18
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *writer(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

static void *reader(void *arg)
{
    __VERIFIER_assert(atomic_load(&x) == 0);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
