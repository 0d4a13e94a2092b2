// A thread of several hundred events, watched by one read.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=301 blocked=0
// The read sees the initial value or one of 300 writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *writer(void *arg)
{
    for (int i = 1; i <= 300; i++)
        atomic_store(&x, i);
    return arg;
}

static void *reader(void *arg)
{
    int seen = atomic_load(&x);
    assert(0 <= seen && seen <= 300);
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
