// Message passing where the reader always looks at both. Source: every paper on memory models.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified complete=3 blocked=0
// Two reads with two choices each; only a new flag with old data is cyclic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int data, flag;

static void *left(void *arg)
{
    atomic_store(&data, 1);
    atomic_store(&flag, 1);
    return arg;
}

static void *right(void *arg)
{
    int f = atomic_load(&flag);
    int d = atomic_load(&data);
    assert(d >= f);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
