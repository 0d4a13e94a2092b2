// Three atomic increments: none is lost. Source: the litmus test inc3.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=6 blocked=0
// One execution an order: 3!.
// twin[sc,tso,rc11] `atomic_fetch_add(&x, 1)` -> `atomic_store(&x, atomic_load(&x) + 1)`: violation=assertion
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

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, inc, NULL);
    pthread_create(&b, NULL, inc, NULL);
    pthread_create(&c, NULL, inc, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(atomic_load(&x) == 3);
    return 0;
}
