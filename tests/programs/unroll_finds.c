// A violation within the bound is found although other executions are cut.
// mazurka: --unroll 1
// expect[sc,tso,pso,ra]: violation=assertion line=24
// expect[rc11,rc11-ra,rc11-cpp11]: violation=race line=24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int data;

static void *writer(void *arg)
{
    atomic_store(&flag, 1);
    data = 1;
    return arg;
}

static void *waiter(void *arg)
{
    while (!atomic_load(&flag))
        ;
    assert(data == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
