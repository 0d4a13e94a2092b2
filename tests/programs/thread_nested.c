// A thread starts and joins another; main looks on.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
// The parent must see its child's write; main sees it or not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *child(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

static void *parent(void *arg)
{
    pthread_t t;
    pthread_create(&t, NULL, child, NULL);
    pthread_join(t, NULL);
    assert(atomic_load(&x) == 1);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, parent, NULL);
    int seen = atomic_load(&x);
    pthread_join(a, NULL);
    assert(seen == 0 || seen == 1);
    return 0;
}
