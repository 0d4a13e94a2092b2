// A plain write races with an atomic read; two atomic accesses never do.
// expect[sc,tso,pso,ra]: verified complete=2 blocked=0
// expect[rc11,rc11-ra,rc11-cpp11,rc11-genmc]: violation=race
// twin[rc11] `*(int *)&x = 1;` -> `STORE(x, 1);`: verified complete=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define STORE(place, value) atomic_store_explicit(&place, value, memory_order_relaxed)
#define LOAD(place) atomic_load_explicit(&place, memory_order_relaxed)

static atomic_int x;

static void *writer(void *arg)
{
    *(int *)&x = 1;
    return arg;
}

static void *reader(void *arg)
{
    (void)LOAD(x);
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
