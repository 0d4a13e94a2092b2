// Recursion that goes deeper with every value that another thread writes, but ends.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=3 blocked=0
// The reader sees 0, 20 or 40.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int depth;

static int down(int n)
{
    return n == 0 ? 0 : 1 + down(n - 1);
}

static void *writer(void *arg)
{
    atomic_store(&depth, 20);
    atomic_store(&depth, 40);
    return arg;
}

static void *reader(void *arg)
{
    int n = atomic_load(&depth);
    assert(down(n) == n);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
