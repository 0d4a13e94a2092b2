// Two critical sections, one after the other.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2
// One execution an order.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int counter;

static void *inc(void *arg)
{
    pthread_mutex_lock(&mutex);
    int seen = counter;
    counter = seen + 1;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, inc, NULL);
    pthread_create(&b, NULL, inc, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
