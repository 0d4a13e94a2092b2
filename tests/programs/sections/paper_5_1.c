// A section whose second read depends on its first one must be revisited before it has read it. Source: Mixer, example 5.1.
// expect[sc,tso,pso,ra,rc11-ra,rc11]: verified complete=3 blocked=0
// The second thread is late for z, or only for y, or for nothing; then it writes x, which the first thread reads.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stddef.h>

static int x, y, z;

static void *first(void *arg)
{
    __VERIFIER_atomic_begin();
    z = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    int seen = x;
    __VERIFIER_atomic_end();
    (void)seen;
    return arg;
}

static void *second(void *arg)
{
    __VERIFIER_atomic_begin();
    if (z == 0 && y == 0)
        x = 1;
    __VERIFIER_atomic_end();
    return arg;
}

static void *third(void *arg)
{
    __VERIFIER_atomic_begin();
    y = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_create(&t[2], NULL, third, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
