// pthread_exit ends a thread from inside a call; its value goes to join.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static int after;

static void leave(int value)
{
    if (value > 1)
        pthread_exit((void *)(intptr_t)value);
}

static void *worker(void *arg)
{
    leave(1);
    leave(7);
    after = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, &result);
    assert((intptr_t)result == 7 && after == 0);
    return 0;
}
