// Two threads need something that the first to come prepares; the other one sees it ready.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
// twin[rc11] `pthread_once(&once, prepare);` -> `prepare();`: violation=race
// twin[rc11] PTHREAD_ONCE_INIT->7: violation=once
// twin[rc11] `calls++;` -> `calls++; pthread_once(&once, prepare);`: violation=deadlock
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls;

static void prepare(void)
{
    calls++;
}

static void *use(void *arg)
{
    pthread_once(&once, prepare);
    assert(calls == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
