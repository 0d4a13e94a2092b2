// Floats and doubles in shared memory keep their values.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static float f;
static double d = -1.5;
static atomic_int ready;

static void *writer(void *arg)
{
    f = 0.25f;
    d = d * 3 + f;
    atomic_store(&ready, 1);
    return arg;
}

static void *reader(void *arg)
{
    if (atomic_load(&ready)) {
        assert(f * 4 == 1.0f);
        assert(d == -4.25 && (int)d == -4);
    }
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
