// lamport(N): two threads try N times each to enter by Lamport's fast path. Source: Lamport, TOCS 1987.
// A thread that would have to wait gives up for this round, so that no execution waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 1
#endif
#define LOOKS 2
#define WORK 4

static atomic_int busy[3], x, y;
static int inside, data[WORK];

static void enter_and_leave(void)
{
    assert(inside == 0);
    inside = 1;
    for (int i = 0; i < WORK; i++)
        data[i]++;
    inside = 0;
}

// After a collision: the other thread is out of the way, and nobody came after this one.
static int wins_collision(int me, int other)
{
    for (int look = 0; look < LOOKS; look++)
        if (!atomic_load(&busy[other]))
            return atomic_load(&y) == me;
    return 0;
}

static void try_once(int me, int other)
{
    atomic_store(&busy[me], 1);
    atomic_store(&x, me);
    if (atomic_load(&y) != 0) {
        atomic_store(&busy[me], 0);
        return;
    }
    atomic_store(&y, me);
    if (atomic_load(&x) != me) {
        atomic_store(&busy[me], 0);
        if (!wins_collision(me, other))
            return;
    }
    enter_and_leave();
    atomic_store(&y, 0);
    atomic_store(&busy[me], 0);
}

static void *process(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int round = 0; round < N; round++)
        try_once(me, 3 - me);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, process, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
