// Each thread has its own copy of a _Thread_local, newly initialised.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static _Thread_local int mine = 10;
static int results[2];

static void add(int n)
{
    for (int i = 0; i < n; i++)
        mine++;
}

static void *left(void *arg)
{
    add(2);
    results[0] = mine;
    return arg;
}

static void *right(void *arg)
{
    add(3);
    results[1] = mine;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(mine == 10 && results[0] == 12 && results[1] == 13);
    return 0;
}
