// Main takes part between create and join: store buffering with main as one side.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=3 blocked=0
// 2 * 2 - 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int saw_x;

static void *other(void *arg)
{
    atomic_store(&y, 1);
    saw_x = atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, other, NULL);
    atomic_store(&x, 1);
    int saw_y = atomic_load(&y);
    pthread_join(a, NULL);
    assert(saw_x || saw_y);
    return 0;
}
