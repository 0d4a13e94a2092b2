// A divisor that another thread sets to zero for a moment.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=division-by-zero line=21
// twin[sc,rc11] `&divisor, 0` -> `&divisor, 1`: verified complete=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int divisor = 5;

static void *writer(void *arg)
{
    atomic_store(&divisor, 0);
    atomic_store(&divisor, 10);
    return arg;
}

static void *reader(void *arg)
{
    int seen = atomic_load(&divisor);
    assert(100 / seen >= 10);
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
