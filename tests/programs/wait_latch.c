// A latch: main goes on when all threads have counted down.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// The latch expects one thread more than there are.
// twin[sc,tso,rc11] `left = 2` -> `left = 3`: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int left = 2;
static int work[2];

static void *worker(void *arg)
{
    work[(long)arg] = 1;
    atomic_fetch_sub_explicit(&left, 1, memory_order_acq_rel);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    while (atomic_load_explicit(&left, memory_order_acquire))
        ;
    assert(work[0] + work[1] == 2);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
