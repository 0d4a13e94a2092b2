// Two threads walk over halves of one array with pointers.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int cells[6] = {1, 2, 3, 4, 5, 6};
static int sums[2];

static void sum(const int *from, const int *to, int *result)
{
    for (const int *p = from; p != to; p++)
        *result += *p;
}

static void *left(void *arg)
{
    sum(cells, cells + 3, &sums[0]);
    return arg;
}

static void *right(void *arg)
{
    sum(&cells[3], &cells[6], sums + 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sums[0] == 6 && sums[1] == 15 && &sums[1] - sums == 1);
    return 0;
}
