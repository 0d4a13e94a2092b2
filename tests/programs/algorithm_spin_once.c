// A test-and-set lock tried once: at most one thread is inside.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=4 blocked=0
// Both exchanges before any release: two winners. Or one after the other's release: two orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int taken;
static int inside;

static void *worker(void *arg)
{
    if (atomic_exchange(&taken, 1) == 0) {
        inside++;
        assert(inside == 1);
        inside--;
        atomic_store(&taken, 0);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
