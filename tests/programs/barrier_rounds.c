// Three threads work on an array in two rounds. Nothing depends on the order in which they reach the barrier.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=1 blocked=0
// twin[rc11] `    pthread_barrier_wait(&barrier); // before the sum` -> ``: violation=race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define N 3

static pthread_barrier_t barrier;
static int part[N], sum[N];

static void *worker(void *arg)
{
    long me = (long)arg;
    part[me] = (int)me + 1;
    pthread_barrier_wait(&barrier); // before the sum
    for (int i = 0; i < N; i++)
        sum[me] += part[i];
    pthread_barrier_wait(&barrier);
    part[me] = 0;
    assert(sum[(me + 1) % N] == 6);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    pthread_barrier_init(&barrier, NULL, N);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
