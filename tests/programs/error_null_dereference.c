// A pointer is used before another thread has set it.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=unallocated line=19
// twin[sc,rc11] `*atomic_load(&pointer) = 1;` -> `int *seen = atomic_load(&pointer); if (seen) *seen = 1;`: verified complete=2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int cell;
static _Atomic(int *) pointer;

static void *writer(void *arg)
{
    atomic_store(&pointer, &cell);
    return arg;
}

static void *reader(void *arg)
{
    *atomic_load(&pointer) = 1;
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
