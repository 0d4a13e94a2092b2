// szymanski(N): two threads enter N times each by Szymanski's algorithm. Source: Szymanski, ICS 1988.
// As in the client that the thesis counts (T10.13), each waits for the other, whatever their numbers. An execution in
// which a thread would have to wait longer is blocked.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 1
#endif

enum { OUTSIDE, KNOCKING, WAITING, AT_THE_DOOR, INSIDE };

static atomic_int flag[2];
static int visits;

static void enter(int me, int other)
{
    atomic_store(&flag[me], KNOCKING);
    __VERIFIER_assume(atomic_load(&flag[other]) < AT_THE_DOOR);
    atomic_store(&flag[me], AT_THE_DOOR);
    if (atomic_load(&flag[other]) == KNOCKING) {
        atomic_store(&flag[me], WAITING);
        __VERIFIER_assume(atomic_load(&flag[other]) == INSIDE);
    }
    atomic_store(&flag[me], INSIDE);
    __VERIFIER_assume(atomic_load(&flag[other]) < WAITING);
}

static void leave(int me, int other)
{
    int seen = atomic_load(&flag[other]);
    __VERIFIER_assume(seen < WAITING || seen == INSIDE);
    atomic_store(&flag[me], OUTSIDE);
}

static void *process(void *arg)
{
    int me = (int)(intptr_t)arg, other = 1 - me;
    for (int round = 0; round < N; round++) {
        enter(me, other);
        visits++;
        leave(me, other);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, process, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(visits == 2 * N);
    return 0;
}
