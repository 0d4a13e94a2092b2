// Heap memory that stays in its thread: no events, one execution.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int results[2];

static int sum_to(int n)
{
    int *cells = malloc(n * sizeof *cells), sum = 0;
    for (int i = 0; i < n; i++)
        cells[i] = i + 1;
    for (int i = 0; i < n; i++)
        sum += cells[i];
    free(cells);
    return sum;
}

static void *left(void *arg)
{
    results[0] = sum_to(4);
    return arg;
}

static void *right(void *arg)
{
    results[1] = sum_to(10);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(results[0] == 10 && results[1] == 55);
    return 0;
}
