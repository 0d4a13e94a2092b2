// Under rf executions still differ by what is read, and a read needs some order of the writes that allows it.
// mazurka: --equivalence rf
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=7 blocked=0
// Two reads of three values each, less: a write and then the initial value again, twice. Under co the
// executions in which fewer than two of the writes are read in order count twice.
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

static void *reader(void *arg)
{
    (void)LOAD(x);
    (void)LOAD(x);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_create(&c, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
