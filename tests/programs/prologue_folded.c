// What main does before the first thread starts has no events: loops and locks there do not change the counts.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=3 blocked=0
// expect[ra,rc11-ra]: verified complete=4 blocked=0
// Store buffering: 2 * 2, less the one in which both miss the other where that is forbidden.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int cells[100];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void prepare(void)
{
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 100; i++)
            atomic_store(&cells[i], i == 98);
    pthread_mutex_lock(&mutex);
    atomic_fetch_sub(&cells[98], 1);
    pthread_mutex_unlock(&mutex);
}

static void *left(void *arg)
{
    atomic_store(&cells[98], 1);
    atomic_load(&cells[99]);
    return arg;
}

static void *right(void *arg)
{
    atomic_store(&cells[99], 1);
    atomic_load(&cells[98]);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    prepare();
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
