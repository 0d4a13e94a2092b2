// A join orders what came before it: main sees all, in any order of joining.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int cells[3];

static void *worker(void *arg)
{
    *(int *)arg += 5;
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, &cells[i]);
    for (int i = 2; i >= 0; i--) {
        pthread_join(t[i], NULL);
        assert(cells[i] == 5);
    }
    return 0;
}
