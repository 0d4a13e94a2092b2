// Dekker's lock: of two threads that meet, the one whose turn it is not gives way. Source: Dijkstra 1965.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// expect[rc11-ra]: violation=race
// twin[sc,tso] `__VERIFIER_assume(!atomic_load(&wants[other]))` -> `(void)0`: violation=assertion
// twin[rc11] `__VERIFIER_assume(!atomic_load(&wants[other]))` -> `(void)0`: violation=race
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int wants[2];
static atomic_int turn;
static int owner;

static void lock(int me)
{
    int other = 1 - me;
    atomic_store(&wants[me], 1);
    if (!atomic_load(&wants[other]))
        return;
    if (atomic_load(&turn) != me) {
        atomic_store(&wants[me], 0);
        __VERIFIER_assume(atomic_load(&turn) == me);
        atomic_store(&wants[me], 1);
    }
    __VERIFIER_assume(!atomic_load(&wants[other]));
}

static void unlock(int me)
{
    atomic_store(&turn, 1 - me);
    atomic_store(&wants[me], 0);
}

static void *thread(void *arg)
{
    int me = (int)(intptr_t)arg;
    lock(me);
    owner = me;
    assert(owner == me);
    unlock(me);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
