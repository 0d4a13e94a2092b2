// A barrier made of a counter and the number of the round.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// The last thread forgets to begin the next round.
// twin[sc,tso,rc11] `atomic_fetch_add(&round, 1);` -> ``: violation=liveness
// A barrier for one thread more than there are.
// twin[sc,rc11] `== THREADS - 1` -> `== THREADS`: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 2

static atomic_int arrived, round;
static int before[THREADS];

static void meet(void)
{
    int mine = atomic_load(&round);
    if (atomic_fetch_add(&arrived, 1) == THREADS - 1) {
        atomic_store(&arrived, 0);
        atomic_fetch_add(&round, 1);
    } else {
        while (atomic_load(&round) == mine)
            ;
    }
}

static void *thread(void *arg)
{
    before[(long)arg] = 1;
    meet();
    assert(before[0] + before[1] == 2);
    meet();
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
