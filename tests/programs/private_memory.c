// Private work between shared accesses does not change the counts.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=3 blocked=0
// Store buffering: 2 * 2 - 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int saw[2];

static int work(int seed)
{
    int cells[8], *p = cells;
    for (int i = 0; i < 8; i++)
        *p++ = i * seed;
    return cells[7] - 7 * seed;
}

static void *left(void *arg)
{
    atomic_store(&x, 1 + work(3));
    saw[0] = atomic_load(&y) + work(4);
    return arg;
}

static void *right(void *arg)
{
    atomic_store(&y, 1 + work(5));
    saw[1] = atomic_load(&x) + work(6);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(saw[0] || saw[1]);
    return 0;
}
