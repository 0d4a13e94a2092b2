// Where a thread writes depends on what it read.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
// The index read is 0 or 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int index;
static int cells[2];

static void *chooser(void *arg)
{
    atomic_store(&index, 1);
    return arg;
}

static void *writer(void *arg)
{
    cells[atomic_load(&index)] = 7;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, chooser, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(cells[0] + cells[1] == 7);
    return 0;
}
