// Threads that only read plain data do not race.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int table[2] = {3, 4};

static void *first(void *arg)
{
    assert(table[0] + table[1] == 7);
    return arg;
}

static void *second(void *arg)
{
    assert(table[1] - table[0] == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
