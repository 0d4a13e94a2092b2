// A thread reads its own write, or a later one. Source: the litmus test CoWR.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=3 blocked=0
// If the other write comes first, the read sees 1; if it comes last, 1 or 2.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *left(void *arg)
{
    atomic_store(&x, 1);
    assert(atomic_load(&x) != 0);
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
