// A mutex from the heap, with init and destroy.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2
// One execution an order.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;
static int counter;

static void *inc(void *arg)
{
    pthread_mutex_lock(mutex);
    counter++;
    pthread_mutex_unlock(mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    pthread_create(&a, NULL, inc, NULL);
    pthread_create(&b, NULL, inc, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    pthread_mutex_destroy(mutex);
    free(mutex);
    return 0;
}
