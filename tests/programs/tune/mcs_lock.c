// MCS lock, with every ordering at seq_cst: for 'mazurka tune' to weaken. Source: Mellor-Crummey and Scott 1991.
// expect[sc,tso,rc11]: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define THREADS 3

struct node {
    _Atomic(struct node *) next;
    atomic_bool waiting;
};

static _Atomic(struct node *) tail;
static struct node nodes[THREADS];
static int counter;

static void lock(struct node *me)
{
    atomic_store(&me->next, NULL);
    atomic_store(&me->waiting, true);
    struct node *before = atomic_exchange(&tail, me);
    if (!before)
        return;
    atomic_store(&before->next, me);
    while (atomic_load(&me->waiting))
        ; // until the one before us hands over
}

static void unlock(struct node *me)
{
    struct node *after = atomic_load(&me->next);
    if (!after) {
        struct node *expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return; // nobody is waiting
        while (!(after = atomic_load(&me->next)))
            ; // somebody is about to link in behind us
    }
    atomic_store(&after->waiting, false);
}

static void *thread(void *arg)
{
    lock(arg);
    counter++;
    unlock(arg);
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
