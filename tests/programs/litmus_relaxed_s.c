// A store is seen, and then overtakes an earlier one (S). Source: Herding cats, figure 11.
// expect[sc,tso,ra]: verified complete=3 blocked=0
// expect[pso,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified complete=4 blocked=0
// A read of two values, two orders of the writes to x. Seeing y and still coming before x = 2 needs stores
// out of order; under ra whoever sees y knows x = 2.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define STORE(place, value) atomic_store_explicit(&place, value, memory_order_relaxed)
#define LOAD(place) atomic_load_explicit(&place, memory_order_relaxed)

static atomic_int x, y;

static void *left(void *arg)
{
    STORE(x, 2);
    STORE(y, 1);
    return arg;
}

static void *right(void *arg)
{
    (void)LOAD(y);
    STORE(x, 1);
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
