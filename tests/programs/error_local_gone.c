// A pointer to a local variable outlives its function.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=freed line=26
// twin[sc,rc11] `atomic_int local = 3` -> `static atomic_int local = 3`: verified complete=2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(atomic_int *) box;

static void publish(void)
{
    atomic_int local = 3;
    atomic_store(&box, &local);
}

static void *writer(void *arg)
{
    publish();
    return arg;
}

static void *reader(void *arg)
{
    atomic_int *cell = atomic_load(&box);
    if (cell)
        atomic_store(cell, 2);
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
