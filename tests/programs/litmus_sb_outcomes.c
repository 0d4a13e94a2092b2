// Store buffering: the outcome that sequential consistency allows is reached. Source: thesis, section 2.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: violation=assertion line=32
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r0, r1;

static void *left(void *arg)
{
    atomic_store(&x, 1);
    r0 = atomic_load(&y);
    return arg;
}

static void *right(void *arg)
{
    atomic_store(&y, 1);
    r1 = atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!(r0 == 1 && r1 == 1));
    return 0;
}
