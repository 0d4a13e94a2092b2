// A lock as over a futex: 0 is free, 1 is taken, 2 is taken and somebody sleeps until it changes.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// An unlock that thinks that nobody sleeps does not wake the sleeper.
// twin[sc,tso,rc11] `!= 1)` -> `== 0)`: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int state, wakes;
static int counter;

static void sleep_until_woken(void)
{
    int before = atomic_load(&wakes);
    if (atomic_load(&state) != 2)
        return;
    while (atomic_load(&wakes) == before)
        ;
}

static void lock(void)
{
    int free = 0;
    if (atomic_compare_exchange_strong(&state, &free, 1))
        return;
    while (atomic_exchange(&state, 2) != 0)
        sleep_until_woken();
}

static void unlock(void)
{
    if (atomic_exchange(&state, 0) != 1)
        atomic_fetch_add(&wakes, 1);
}

static void *thread(void *arg)
{
    lock();
    counter++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    return 0;
}
