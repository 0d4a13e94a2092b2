// A local of main whose address the threads have.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
// One execution an order of the increments.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static void *inc(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
    return NULL;
}

int main(void)
{
    atomic_int counter = 0;
    pthread_t a, b;
    pthread_create(&a, NULL, inc, &counter);
    pthread_create(&b, NULL, inc, &counter);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&counter) == 2);
    return 0;
}
