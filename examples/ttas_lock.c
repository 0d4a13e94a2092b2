// Test-and-test-and-set lock, with its loops as people write them. Source: Rudolph and Segall 1984.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// If it is not an exchange, a thread may take the lock again that another one has just released, and nobody releases it.
// twin[sc,tso] `atomic_exchange(&taken, 1)` -> `taken; taken = 1`: violation=liveness
// twin[rc11] `atomic_exchange(&taken, 1)` -> `taken; taken = 1`: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 2

static atomic_int taken;
static int counter;

static void lock(void)
{
    int was_taken;
    do {
        while (atomic_load(&taken))
            ; // look without disturbing the holder's cache line
        was_taken = atomic_exchange(&taken, 1);
    } while (was_taken);
}

static void unlock(void)
{
    atomic_store(&taken, 0);
}

static void *thread(void *arg)
{
    (void)arg;
    lock();
    counter++;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(counter == THREADS);
    return 0;
}
