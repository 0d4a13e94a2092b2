// Main works on its own after its joins, and then looks at what the threads did: 3! executions.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=6 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *increment(void *arg)
{
    atomic_fetch_add(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, increment, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    volatile int work = 0;
    for (int i = 0; i < 100; i++)
        work += i;
    assert(atomic_load(&x) == 3);
    return 0;
}
