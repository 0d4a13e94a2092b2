// Two threads pass a value back and forth, each waiting for the other with an assumption.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
// Both waits end: what they wait for is written last.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int value;
static atomic_int turn;

static void *first(void *arg)
{
    value = 1;
    atomic_store(&turn, 1);
    __VERIFIER_assume(atomic_load(&turn) == 2);
    assert(value == 2);
    return arg;
}

static void *second(void *arg)
{
    __VERIFIER_assume(atomic_load(&turn) == 1);
    value++;
    atomic_store(&turn, 2);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
