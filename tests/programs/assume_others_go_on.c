// When one thread is blocked the others go on, and their mistakes are found.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=assertion line=20
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *blocked(void *arg)
{
    __VERIFIER_assume(atomic_load(&x) == 5);
    return arg;
}

static void *wrong(void *arg)
{
    atomic_store(&x, 1);
    assert(atomic_load(&x) == 2);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, blocked, NULL);
    pthread_create(&b, NULL, wrong, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
