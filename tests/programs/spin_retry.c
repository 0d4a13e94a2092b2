// Three threads increment by a loop that loads and compares; a round in which that fails changes nothing.
// expect[sc,tso,pso,ra,rc11,rc11-cpp11]: verified complete=6
// The increments come in some order: 3! executions, whatever else the loads could have seen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_int x;

static void *inc(void *arg)
{
    bool done = false;
    while (!done) {
        int seen = atomic_load(&x);
        done = atomic_compare_exchange_strong(&x, &seen, seen + 1);
    }
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, inc, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&x) == 3);
    return 0;
}
