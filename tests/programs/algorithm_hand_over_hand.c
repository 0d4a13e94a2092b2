// The second mutex outlives the first: sections overlap, but the order cannot change between them.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2
// Who takes the first mutex first also takes the second one first: 2 executions, not 4.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int a_count, b_count;

static void *walker(void *arg)
{
    pthread_mutex_lock(&one);
    a_count++;
    pthread_mutex_lock(&two);
    pthread_mutex_unlock(&one);
    b_count++;
    pthread_mutex_unlock(&two);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, walker, NULL);
    pthread_create(&b, NULL, walker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(a_count == 2 && b_count == 2);
    return 0;
}
