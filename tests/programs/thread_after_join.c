// A second generation of threads starts when the first has ended.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=4 blocked=0
// Two orders of two increments, twice.
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

static void run_two(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, inc, NULL);
    pthread_create(&b, NULL, inc, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

int main(void)
{
    run_two();
    assert(atomic_load(&x) == 2);
    run_two();
    assert(atomic_load(&x) == 4);
    return 0;
}
