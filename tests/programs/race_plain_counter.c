// Two plain increments without a lock.
// expect[rc11,rc11-ra,rc11-cpp11,rc11-genmc]: violation=race line=13
// expect[sc,tso,pso,ra]: violation=assertion line=24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int count;

static void *increment(void *arg)
{
    count++;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2);
    return 0;
}
