// An SC update reads from a release store that is after an SC store (Z6.U). Source: Lahav et al., PLDI 2017, which
// allows the update to be overwritten by an SC store whose thread does not see the first one; POWER machines show it.
// expect[sc,tso]: verified complete=18 blocked=0
// expect[rc11,rc11-ra,rc11-cpp11]: verified complete=24 blocked=0
// expect[rc11-genmc]: verified complete=22 blocked=0
// GenMC counts 18 under SC and TSO, 24 without an SC order, and 22 under its RC11, which forbids that.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *first(void *arg)
{
    atomic_store(&x, 1);
    atomic_store_explicit(&y, 1, memory_order_release);
    return arg;
}

static void *second(void *arg)
{
    atomic_fetch_add(&y, 1);
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}

static void *third(void *arg)
{
    atomic_store(&y, 3);
    (void)atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_create(&c, NULL, third, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
