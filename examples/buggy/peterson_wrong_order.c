// Peterson's lock with its first two lines swapped: both threads get in, even under sequential consistency.
// The counterexample: each offers the turn to the other before either has said that it wants to enter.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=assertion line=33
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int wants[2];
static atomic_int turn;
static atomic_int owner; // atomic: else the threads would race before the assertion fails

static void lock(int me)
{
    int other = 1 - me;
    atomic_store(&turn, other); // too early: nobody knows yet that we are here
    atomic_store(&wants[me], 1);
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
