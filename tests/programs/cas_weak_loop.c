// Increments by a compare-exchange loop; it ends because a failure means that the other succeeded.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=4 blocked=0
// Both loads see 0: one of the two fails once and tries again. Or one load sees the other's result: no failure.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *inc(void *arg)
{
    int seen = atomic_load(&x);
    while (!atomic_compare_exchange_weak(&x, &seen, seen + 1))
        ;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, inc, NULL);
    pthread_create(&b, NULL, inc, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&x) == 2);
    return 0;
}
