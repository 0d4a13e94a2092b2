// Message passing, relaxed: the flag may be seen without the data. Source: thesis, section 2.2.
// expect[sc,tso,ra]: verified complete=3 blocked=0
// expect[pso,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified complete=4 blocked=0
// Two reads of two values each. Under tso stores leave in order; under ra every access synchronises.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define STORE(place, value) atomic_store_explicit(&place, value, memory_order_relaxed)
#define LOAD(place) atomic_load_explicit(&place, memory_order_relaxed)

static atomic_int data, flag;

static void *writer(void *arg)
{
    STORE(data, 1);
    STORE(flag, 1);
    return arg;
}

static void *reader(void *arg)
{
    (void)LOAD(flag);
    (void)LOAD(data);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
