// A constant divided by the constant 0, which the compiler computes itself; ways that are not taken have one, too.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=division-by-zero line=15
// twin[sc,rc11] `atomic_load(&level) > 1` -> `atomic_load(&level) > 2`: verified complete=3
// twin[sc,rc11] `FULL / STEP` -> `0 ? FULL / STEP : 5`: verified complete=3
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { STEP = 0, FULL = 100 };
static atomic_int level;

static int steps(void)
{
    if (atomic_load(&level) > 1)
        return FULL / STEP;
    if (STEP != 0)
        return FULL % STEP;
    return (int)sizeof(FULL / STEP);
}

static void *writer(void *arg)
{
    atomic_store(&level, 1);
    atomic_store(&level, 2);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    int count = steps();
    pthread_join(thread, NULL);
    return count < 0;
}
