// Small signed atomics are sign-extended when they are used.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic int8_t x = -100;

static void *sub(void *arg)
{
    int old = atomic_fetch_sub(&x, 50);
    assert(old == -100 || old == 106);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, sub, NULL);
    pthread_create(&b, NULL, sub, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&x) == 56);
    return 0;
}
