// Two increments as a load and a store: how many executions there are. Source: any textbook.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=4 blocked=0
// Both read 0 with two coherence orders, or one reads the other's write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *inc(void *arg)
{
    int seen = atomic_load(&x);
    atomic_store(&x, seen + 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, inc, NULL);
    pthread_create(&b, NULL, inc, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&x) >= 1);
    return 0;
}
