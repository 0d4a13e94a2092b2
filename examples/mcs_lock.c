// MCS lock: a queue of waiting threads, each watching a flag of its own. Source: Mellor-Crummey and Scott 1991.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=66
// The thesis counts 66 for three threads too (table 10.11, under RC11).
// twin[sc,tso] `__VERIFIER_assume(!atomic_load(&me->waiting))` -> `(void)0`: violation=assertion
// twin[rc11] `__VERIFIER_assume(!atomic_load(&me->waiting))` -> `(void)0`: violation=race
// twin[sc,tso] `atomic_store(&me->waiting, 1)` -> `atomic_store(&me->waiting, 0)`: violation=assertion
// twin[rc11] `atomic_store(&me->waiting, 1)` -> `atomic_store(&me->waiting, 0)`: violation=race
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 3

struct node {
    _Atomic(struct node *) next;
    atomic_int waiting;
};

static _Atomic(struct node *) tail;
static struct node nodes[THREADS];
static int counter;

static void lock(struct node *me)
{
    atomic_store(&me->next, NULL);
    atomic_store(&me->waiting, 1);
    struct node *before = atomic_exchange(&tail, me);
    if (before) {
        atomic_store(&before->next, me);
        __VERIFIER_assume(!atomic_load(&me->waiting)); // until the one before us hands over
    }
}

static void unlock(struct node *me)
{
    struct node *after = atomic_load(&me->next);
    if (!after) {
        struct node *expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return; // nobody is waiting
        after = atomic_load(&me->next);
        __VERIFIER_assume(after != NULL); // somebody is about to link in behind us
    }
    atomic_store(&after->waiting, 0);
}

static void *thread(void *arg)
{
    struct node *me = arg;
    lock(me);
    counter++;
    unlock(me);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, thread, &nodes[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(counter == THREADS);
    return 0;
}
