// A unit may have come or not when a thread tries to take it, or waits for some time: if it has come, one of the two
// attempts gets it (the value is 1, or 0 after the first attempt); if it comes between them, the second one does.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=3
// twin[rc11] `errno == ETIMEDOUT` -> `errno == EAGAIN`: violation=assertion
// twin[rc11] `sem_post(&units);` -> `sem_post(&units); sem_destroy(&units); sem_post(&units);`: violation=semaphore
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t units;

static void *give(void *arg)
{
    sem_post(&units);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec soon = {0, 0};
    int value = -1, got = 0;
    pthread_create(&t, 0, give, 0);
    if (sem_trywait(&units) == 0)
        got++;
    else
        assert(errno == EAGAIN);
    if (sem_timedwait(&units, &soon) == 0)
        got++;
    else
        assert(errno == ETIMEDOUT);
    assert(got <= 1);
    pthread_join(t, 0);
    if (got == 0)
        assert(sem_clockwait(&units, CLOCK_MONOTONIC, &soon) == 0 && sem_post(&units) == 0);
    assert(sem_getvalue(&units, &value) == 0 && value == 1 - got);
    return 0;
}
