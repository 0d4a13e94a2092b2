// A semaphore with one unit protects a counter: two threads enter one after the other, in two orders.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
// twin[rc11] `sem_init(&units, 0, 1)` -> `sem_init(&units, 0, 2)`: violation=race
// twin[rc11] `sem_init(&units, 0, 1)` -> `sem_init(&units, 0, 0)`: violation=deadlock
// twin[rc11] `sem_post(&units);` -> ``: violation=deadlock
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t units;
static int counter;

static void *add(void *arg)
{
    sem_wait(&units);
    counter++;
    sem_post(&units);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&units, 0, 1);
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    sem_destroy(&units);
    return 0;
}
