// A read does not see its own thread's later write. Source: the litmus test CoRW.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=3 blocked=0
// The read sees 0 with two coherence orders, or 2 with one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *left(void *arg)
{
    assert(atomic_load(&x) != 1);
    atomic_store(&x, 1);
    return arg;
}

static void *right(void *arg)
{
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
    return 0;
}
