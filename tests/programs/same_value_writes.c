// Two writes of the same value are two writes: executions differ by which thread wrote. Source: TruSt, section 2.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=6 blocked=0
// Two coherence orders, three writes to read from.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *writer(void *arg)
{
    atomic_store(&x, 0);
    return arg;
}

static void *reader(void *arg)
{
    assert(atomic_load(&x) == 0);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_create(&c, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
