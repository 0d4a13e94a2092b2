// szymanski(N): two threads enter N times each by Szymanski's algorithm. Source: Szymanski, ICS 1988.
#include "prelude.h"

enum { OUTSIDE, KNOCKING, WAITING, AT_THE_DOOR, INSIDE };

static atomic_int flag[2];
static int visits;

static void enter(int me, int other)
{
    atomic_store(&flag[me], KNOCKING);
    while (atomic_load(&flag[other]) >= AT_THE_DOOR)
        ;
    atomic_store(&flag[me], AT_THE_DOOR);
    if (atomic_load(&flag[other]) == KNOCKING) {
        atomic_store(&flag[me], WAITING);
        while (atomic_load(&flag[other]) != INSIDE)
            ;
    }
    atomic_store(&flag[me], INSIDE);
    if (me == 1)
        while (atomic_load(&flag[other]) >= WAITING)
            ;
}

static void leave(int me, int other)
{
    int seen;
    if (me == 0)
        do
            seen = atomic_load(&flag[other]);
        while (seen == WAITING || seen == AT_THE_DOOR);
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
