// Creating a thread and joining it order plain accesses; reading before the join is a race.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified complete=1 blocked=0
// twin[rc11] `pthread_join(a, NULL);` -> `(void)0;`: violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int input, result;

static void *worker(void *arg)
{
    result = input + 1;
    return arg;
}

int main(void)
{
    pthread_t a;
    input = 1;
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    return result - 2;
}
