// More threads than a machine word has bits, each with a location of its own.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define THREADS 70

static int cells[THREADS];

static void *worker(void *arg)
{
    intptr_t me = (intptr_t)arg;
    cells[me] = (int)me;
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        assert(cells[i] == i);
    }
    return 0;
}
