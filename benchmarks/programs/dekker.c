// dekker(N): two threads try N times each to enter Dekker's critical section. Source: Dijkstra 1965.
// A thread steps back twice, then gives up for this round, so that no execution waits.
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

static atomic_int wants[2], turn;
static int inside, data[WORK];

static void enter_and_leave(void)
{
    assert(inside == 0);
    inside = 1;
    for (int i = 0; i < WORK; i++)
        data[i]++;
    inside = 0;
}

// Whether the other thread does not want to enter, once this one has stepped back where it is not its turn.
static int stands_alone(int me, int other)
{
    for (int look = 0; look < LOOKS; look++) {
        if (!atomic_load(&wants[other]))
            return 1;
        if (atomic_load(&turn) != me) {
            atomic_store(&wants[me], 0);
            atomic_store(&wants[me], 1);
        }
    }
    return 0;
}

static void *process(void *arg)
{
    int me = (int)(intptr_t)arg, other = 1 - me;
    for (int round = 0; round < N; round++) {
        atomic_store(&wants[me], 1);
        if (stands_alone(me, other)) {
            enter_and_leave();
            atomic_store(&turn, other);
        }
        atomic_store(&wants[me], 0);
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
    return 0;
}
