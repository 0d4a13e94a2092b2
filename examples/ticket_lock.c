// Ticket lock: threads draw numbers and are served in that order. Source: Mellor-Crummey and Scott 1991.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=6
// The tickets decide everything: one complete execution for each of the 3! orders of drawing them.
// twin[sc,tso] `atomic_fetch_add(&next_ticket, 1)` -> `atomic_load(&next_ticket); next_ticket++`: violation=assertion
// twin[rc11] `atomic_fetch_add(&next_ticket, 1)` -> `atomic_load(&next_ticket); next_ticket++`: violation=race
// twin[sc,tso] `__VERIFIER_assume(atomic_load(&now_serving) == ticket)` -> `(void)ticket`: violation=assertion
// twin[rc11] `__VERIFIER_assume(atomic_load(&now_serving) == ticket)` -> `(void)ticket`: violation=race
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 3

static atomic_int next_ticket, now_serving;
static int counter;

static void lock(void)
{
    int ticket = atomic_fetch_add(&next_ticket, 1);
    __VERIFIER_assume(atomic_load(&now_serving) == ticket); // waits for its turn
}

static void unlock(void)
{
    int served = atomic_load(&now_serving);
    atomic_store(&now_serving, served + 1);
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
