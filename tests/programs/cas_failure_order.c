// A compare-exchange with an order of its own for failure.
// expect[sc,tso,rc11]: verified complete=2 blocked=0
// It comes before the store and succeeds, or after it and fails.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *claim(void *arg)
{
    int seen = 0;
    if (!atomic_compare_exchange_strong_explicit(&x, &seen, 1, memory_order_acq_rel, memory_order_acquire))
        assert(seen == 7);
    return arg;
}

static void *store(void *arg)
{
    atomic_store_explicit(&x, 7, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, claim, NULL);
    pthread_create(&b, NULL, store, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&x) == 7);
    return 0;
}
