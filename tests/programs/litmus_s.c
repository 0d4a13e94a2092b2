// A write before a flag, and another write after it was seen. Source: the litmus test S.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified complete=3 blocked=0
// Two choices for the read, two coherence orders; only a seen flag with the second write first is cyclic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int saw;

static void *left(void *arg)
{
    atomic_store(&x, 2);
    atomic_store(&y, 1);
    return arg;
}

static void *right(void *arg)
{
    saw = atomic_load(&y);
    atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!(saw && atomic_load(&x) == 2));
    return 0;
}
