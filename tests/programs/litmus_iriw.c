// Independent reads of independent writes: the readers agree on the order. Source: the litmus test IRIW.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=15 blocked=0
// expect[ra,rc11-ra]: violation=assertion
// Four reads with two choices each; only the readers disagreeing on the order of the writes is cyclic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int first_x, then_y, first_y, then_x;

static void *write_x(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

static void *write_y(void *arg)
{
    atomic_store(&y, 1);
    return arg;
}

static void *read_xy(void *arg)
{
    first_x = atomic_load(&x);
    then_y = atomic_load(&y);
    return arg;
}

static void *read_yx(void *arg)
{
    first_y = atomic_load(&y);
    then_x = atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t a, b, c, d;
    pthread_create(&a, NULL, write_x, NULL);
    pthread_create(&b, NULL, write_y, NULL);
    pthread_create(&c, NULL, read_xy, NULL);
    pthread_create(&d, NULL, read_yx, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    pthread_join(d, NULL);
    assert(!(first_x && !then_y && first_y && !then_x));
    return 0;
}
