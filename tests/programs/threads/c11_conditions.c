// A ring with one place, in C11: the producer waits until it is empty, the consumer until it is full.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified blocked=0
// twin[rc11] `cnd_signal(&emptied);` -> ``: violation=deadlock
// twin[rc11] `cnd_broadcast(&filled);` -> ``: violation=deadlock
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t filled, emptied;
static int full, item;

static int producer(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        mtx_lock(&mutex);
        while (full)
            cnd_wait(&emptied, &mutex);
        full = 1;
        item = i;
        cnd_broadcast(&filled);
        mtx_unlock(&mutex);
    }
    return 0;
}

int main(void)
{
    thrd_t t;
    struct timespec soon = {0, 0};
    mtx_init(&mutex, mtx_plain);
    cnd_init(&filled);
    cnd_init(&emptied);
    thrd_create(&t, producer, 0);
    for (int i = 1; i <= 2; i++) {
        mtx_lock(&mutex);
        while (!full)
            cnd_wait(&filled, &mutex);
        assert(item == i);
        full = 0;
        cnd_signal(&emptied);
        mtx_unlock(&mutex);
    }
    thrd_join(t, 0);
    mtx_lock(&mutex);
    assert(cnd_timedwait(&filled, &mutex, &soon) == thrd_timedout);
    mtx_unlock(&mutex);
    cnd_destroy(&filled);
    cnd_destroy(&emptied);
    return 0;
}
