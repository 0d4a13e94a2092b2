// The bound counts the passes of a loop from zero each time it is entered.
// mazurka: --unroll 3
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=10 blocked=0
// The reader sees 0 or one of nine writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *writer(void *arg)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            atomic_fetch_add(&x, 1);
    return arg;
}

static void *reader(void *arg)
{
    assert(atomic_load(&x) <= 9);
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
