// A thread returns an object from the heap, which main reads and frees.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct result {
    int sum, count;
};

static void *worker(void *arg)
{
    struct result *result = malloc(sizeof *result);
    result->sum = *(int *)arg + 1;
    result->count = 1;
    return result;
}

int main(void)
{
    pthread_t t;
    int input = 41;
    void *out;
    pthread_create(&t, NULL, worker, &input);
    pthread_join(t, &out);
    struct result *result = out;
    assert(result->sum == 42 && result->count == 1);
    free(result);
    return 0;
}
