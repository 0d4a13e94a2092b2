// Dekker's lock: a thread that has to give way withdraws its wish while it waits for its turn.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// Nobody gets a turn any more.
// twin[sc,tso,rc11] `atomic_store(&turn, other);` -> ``: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn;
static int counter;

static void *thread(void *arg)
{
    int me = (int)(long)arg, other = 1 - me;
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) == me)
            continue;
        atomic_store(&wants[me], 0);
        while (atomic_load(&turn) != me)
            ;
        atomic_store(&wants[me], 1);
    }
    counter++;
    atomic_store(&turn, other);
    atomic_store(&wants[me], 0);
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
