// Store buffering, relaxed: both reads may miss the other's store. Source: thesis, section 2.2.
// expect[sc]: verified complete=3 blocked=0
// expect[tso,pso,ra,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified complete=4 blocked=0
// Two reads of two values each; only sequential consistency forbids that both are 0.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define STORE(place, value) atomic_store_explicit(&place, value, memory_order_relaxed)
#define LOAD(place) atomic_load_explicit(&place, memory_order_relaxed)

static atomic_int x, y;

static void *left(void *arg)
{
    STORE(x, 1);
    (void)LOAD(y);
    return arg;
}

static void *right(void *arg)
{
    STORE(y, 1);
    (void)LOAD(x);
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
