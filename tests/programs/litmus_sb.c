// Store buffering. Source: every paper on memory models.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=3 blocked=0
// expect[ra,rc11-ra]: violation=assertion
// Two reads with two choices each; only both reading 0 is cyclic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r0, r1;

static void *left(void *arg)
{
    atomic_store(&x, 1);
    r0 = atomic_load(&y);
    return arg;
}

static void *right(void *arg)
{
    atomic_store(&y, 1);
    r1 = atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(r0 == 1 || r1 == 1);
    return 0;
}
