// A lock made of a section that waits until the lock is free, by an assumption, and takes it.
// expect[sc,tso,pso,ra,rc11-ra,rc11]: verified complete=2 blocked=0
// twin[sc] `__VERIFIER_assume(!locked)` -> `(void)locked`: violation=assertion
// twin[rc11] `__VERIFIER_assume(!locked)` -> `(void)locked`: violation=race
// Either thread locks first.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stddef.h>

static int locked, data;

static void lock(void)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!locked);
    locked = 1;
    __VERIFIER_atomic_end();
}

static void unlock(void)
{
    __VERIFIER_atomic_begin();
    assert(locked);
    locked = 0;
    __VERIFIER_atomic_end();
}

static void *worker(void *arg)
{
    lock();
    data++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(data == 2);
    return 0;
}
