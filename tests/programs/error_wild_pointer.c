// A number is not an address.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=unallocated line=21
// twin[sc,rc11] `if (seen)` -> `if (seen == 1)`: verified complete=2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic uintptr_t number;

static void *writer(void *arg)
{
    atomic_store(&number, 0xdead0);
    return arg;
}

static void *reader(void *arg)
{
    uintptr_t seen = atomic_load(&number);
    if (seen)
        *(int *)seen = 1;
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
