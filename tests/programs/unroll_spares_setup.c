// A bound cuts neither the set-up before the first thread nor loops with a constant number of iterations.
// mazurka: --unroll 1
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=6 blocked=0
// Three increments by three threads in any order, and a wait for none.
// twin[sc,rc11] `expected[2] = 3` -> `expected[2] = 4`: violation=assertion line=41
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 3

static atomic_int count;
static int expected[THREADS];

static int length(const char *text)
{
    int n = 0;
    while (text[n])
        n++;
    return n;
}

static void *increment(void *arg)
{
    atomic_fetch_add(&count, 1);
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < length("abc"); i++)
        expected[i] = i;
    expected[2] = 3;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 2; i < THREADS; i++)
        assert(expected[i] == atomic_load(&count));
    return 0;
}
