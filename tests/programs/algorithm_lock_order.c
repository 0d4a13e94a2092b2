// Two mutexes always taken in the same order.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2
// One execution an order.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int from = 10, to;

static void *transfer(void *arg)
{
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    from -= 3;
    to += 3;
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, transfer, NULL);
    pthread_create(&b, NULL, transfer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(from == 4 && to == 6);
    return 0;
}
