// Two increments of two locations: each location has its own order. Source: HMC, table 3 (binc).
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=4 blocked=0
// (2!)^2: edges between the threads never go back in program order, so every combination is acyclic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *inc(void *arg)
{
    atomic_fetch_add(&x, 1);
    atomic_fetch_add(&y, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, inc, NULL);
    pthread_create(&b, NULL, inc, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&x) == 2 && atomic_load(&y) == 2);
    return 0;
}
