// A release store and a relaxed load: without an acquire there is no synchronisation.
// expect[sc,tso,pso]: verified complete=2 blocked=0
// expect[rc11,rc11-ra,rc11-cpp11,rc11-genmc]: violation=race line=26
// Loads stay in order under tso and pso, so there it works.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define STORE(place, value) atomic_store_explicit(&place, value, memory_order_relaxed)
#define LOAD(place) atomic_load_explicit(&place, memory_order_relaxed)

static int data;
static atomic_int flag;

static void *writer(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    if (LOAD(flag))
        assert(data == 1);
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
