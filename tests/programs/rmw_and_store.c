// A plain store may come before or after an increment, but never inside it. Source: thesis, section 5.5.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=2 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *inc(void *arg)
{
    atomic_fetch_add(&x, 1);
    return arg;
}

static void *store(void *arg)
{
    atomic_store(&x, 10);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, inc, NULL);
    pthread_create(&b, NULL, store, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int last = atomic_load(&x);
    assert(last == 10 || last == 11);
    return 0;
}
