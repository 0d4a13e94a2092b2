// Attempts to take a mutex of C11 answer busy, or that the time is over, while another thread holds it.
// Each of the two attempts comes before the other thread, meanwhile, or after it: 1 + 2 + 3 ways in order.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=6
// twin[rc11] thrd_timedout->thrd_busy: violation=assertion
#include <assert.h>
#include <threads.h>

static mtx_t mutex;

static int locker(void *arg)
{
    mtx_lock(&mutex);
    mtx_unlock(&mutex);
    return 0;
}

int main(void)
{
    thrd_t t;
    struct timespec soon = {0, 0};
    mtx_init(&mutex, mtx_timed);
    thrd_create(&t, locker, 0);
    int first = mtx_trylock(&mutex);
    assert(first == thrd_success || first == thrd_busy);
    if (first == thrd_success)
        mtx_unlock(&mutex);
    int second = mtx_timedlock(&mutex, &soon);
    assert(second == thrd_success || second == thrd_timedout);
    if (second == thrd_success)
        mtx_unlock(&mutex);
    thrd_detach(t);
    return 0;
}
