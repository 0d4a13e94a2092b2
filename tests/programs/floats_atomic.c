// An atomic double, changed by compare-exchange.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=4 blocked=0
// As in cas_weak_loop: both loads see 0.5 and one retries, or one sees the other's result.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic double x = 0.5;

static void *add(void *arg)
{
    double seen = atomic_load(&x);
    while (!atomic_compare_exchange_strong(&x, &seen, seen + 0.25))
        ;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&x) == 1.0);
    return 0;
}
