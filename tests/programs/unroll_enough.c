// A loop that ends within the bound does not make the verdict bounded.
// mazurka: --unroll 4
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=5 blocked=0
// The reader sees 0 or one of four writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *writer(void *arg)
{
    for (int i = 1; i <= 4; i++)
        atomic_store(&x, i);
    return arg;
}

static void *reader(void *arg)
{
    assert(atomic_load(&x) <= 4);
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
