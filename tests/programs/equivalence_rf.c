// Under rf the order of writes that nobody reads makes no difference.
// mazurka: --equivalence rf
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=1 blocked=0
// The same program under co has one execution for each order of the three writes, 3!
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define STORE(place, value) atomic_store_explicit(&place, value, memory_order_relaxed)
#define LOAD(place) atomic_load_explicit(&place, memory_order_relaxed)

static atomic_int x;

static void *one(void *arg)
{
    STORE(x, 1);
    return arg;
}

static void *two(void *arg)
{
    STORE(x, 2);
    return arg;
}

static void *three(void *arg)
{
    STORE(x, 3);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_create(&c, NULL, three, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
