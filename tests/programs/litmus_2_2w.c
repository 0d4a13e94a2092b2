// Two threads write two locations in opposite orders. Source: the litmus test 2+2W.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=3 blocked=0
// expect[ra,rc11-ra]: violation=assertion
// Two coherence orders a location; only each location ending with its first writer's value is cyclic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *left(void *arg)
{
    atomic_store(&x, 1);
    atomic_store(&y, 2);
    return arg;
}

static void *right(void *arg)
{
    atomic_store(&y, 1);
    atomic_store(&x, 2);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!(atomic_load(&x) == 1 && atomic_load(&y) == 1));
    return 0;
}
