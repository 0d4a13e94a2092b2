// A wait loop under a bound: its last pass is cut, and the verdict says so.
// mazurka: --no-spin-assume --no-dynamic-spin-assume --unroll 2
// expect[sc,tso,pso,rc11,rc11-cpp11]: bounded complete=3 blocked=1
// Two passes back are allowed, so the flag is read up to three times: seen at the first, second or third read, or cut.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *writer(void *arg)
{
    atomic_store(&flag, 1);
    return arg;
}

static void *waiter(void *arg)
{
    while (!atomic_load(&flag))
        ;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
