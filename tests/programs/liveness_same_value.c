// Each thread waits for the other. One of them stores, in each round, what is there anyway: nobody sees a change.
// expect[sc,tso,ra]: violation=liveness
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *answers(void *arg)
{
    int seen;
    do {
        seen = atomic_load_explicit(&y, memory_order_relaxed);
        if (seen == 1)
            atomic_store_explicit(&x, 1, memory_order_relaxed);
    } while (seen != 1);
    return arg;
}

static void *asks(void *arg)
{
    int seen;
    do {
        atomic_store_explicit(&y, 0, memory_order_relaxed);
        seen = atomic_load_explicit(&x, memory_order_relaxed);
    } while (seen != 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, answers, NULL);
    pthread_create(&t[1], NULL, asks, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
