// A wait for something that never happens: no execution ends, and no error is invented.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=0 blocked=1
// The waiter waits for 2, and sees 1 in the end.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *writer(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

static void *reader(void *arg)
{
    __VERIFIER_assume(atomic_load(&x) == 2);
    assert(0);
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
