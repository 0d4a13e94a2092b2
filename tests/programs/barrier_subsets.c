// Threads meet in pairs and then all together; each round is of another set of threads.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t pair[2], all;
static int x[4];

static void *worker(void *arg)
{
    long me = (long)arg;
    x[me] = 1;
    pthread_barrier_wait(&pair[me / 2]);
    assert(x[me ^ 1] == 1);
    pthread_barrier_wait(&all);
    assert(x[3 - me] == 1);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    pthread_barrier_init(&pair[0], NULL, 2);
    pthread_barrier_init(&pair[1], NULL, 2);
    pthread_barrier_init(&all, NULL, 4);
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
