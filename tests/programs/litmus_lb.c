// Load buffering: both reads cannot see the other thread's later write. Source: every paper on memory models.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified complete=3 blocked=0
// Two reads with two choices each; only both reading 1 is cyclic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r0, r1;

static void *left(void *arg)
{
    r0 = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return arg;
}

static void *right(void *arg)
{
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!(r0 && r1));
    return 0;
}
