// Peterson's lock: mutual exclusion for two threads from loads and stores alone. Source: Peterson 1981.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=4
// expect[rc11-ra]: violation=race
// Who gives the turn away first (two ways) enters first, on seeing no other wish or the turn given back (two ways);
// the other enters on seeing it leave.
// twin[sc,tso] `atomic_store(&turn, other)` -> `atomic_store(&turn, me)`: violation=assertion
// twin[rc11] `atomic_store(&turn, other)` -> `atomic_store(&turn, me)`: violation=race
// twin[sc,tso] `atomic_store(&wants[me], 1)` -> `(void)0`: violation=assertion
// twin[rc11] `atomic_store(&wants[me], 1)` -> `(void)0`: violation=race
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
    atomic_store(&turn, other);
    // A thread that has to wait is not followed further; the executions in which it gets in are others.
    __VERIFIER_assume(!atomic_load(&wants[other]) || atomic_load(&turn) != other);
}

static void unlock(int me)
{
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
