// Store buffering in a ring of three. Source: the litmus test 3.SB.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=7 blocked=0
// expect[ra,rc11-ra]: violation=assertion
// Three reads with two choices each; only all three reading 0 is cyclic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z;
static int r0, r1, r2;

static void *one(void *arg)
{
    atomic_store(&x, 1);
    r0 = atomic_load(&y);
    return arg;
}

static void *two(void *arg)
{
    atomic_store(&y, 1);
    r1 = atomic_load(&z);
    return arg;
}

static void *three(void *arg)
{
    atomic_store(&z, 1);
    r2 = atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_create(&c, NULL, three, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(r0 || r1 || r2);
    return 0;
}
