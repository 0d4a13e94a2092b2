// exit() ends the whole program: a join of the thread that called it never returns.
// The reader may run before the exit or after the store: x is 0 or 1, so two executions.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *quits(void *arg)
{
    (void)arg;
    atomic_store(&x, 1);
    exit(0);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, quits, NULL);
    atomic_load(&x);
    pthread_join(thread, NULL);
    assert(!"never reached");
    return 0;
}
