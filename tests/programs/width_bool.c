// An atomic bool is 0 or 1, whatever is stored.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static _Atomic bool ready;

static void *writer(void *arg)
{
    int many = 256;
    atomic_store(&ready, many);
    return arg;
}

static void *reader(void *arg)
{
    int seen = atomic_load(&ready);
    assert(seen == 0 || seen == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&ready) == true);
    return 0;
}
