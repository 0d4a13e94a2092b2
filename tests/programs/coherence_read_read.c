// A reader never sees values go back. Source: the litmus test CoRR.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=6 blocked=0
// Two reads of 0, 1 or 2 in coherence order: pairs that do not decrease.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *writer(void *arg)
{
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return arg;
}

static void *reader(void *arg)
{
    int first = atomic_load(&x);
    int second = atomic_load(&x);
    assert(first <= second);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
