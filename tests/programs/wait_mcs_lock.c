// An MCS lock: each thread waits at a node of its own, and its predecessor wakes it.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// A holder that sees its successor and forgets to wake it.
// twin[sc,rc11] `atomic_store_explicit(&after->waits, 0, memory_order_release);` -> ``: violation=liveness
// twin[rc11] `after->waits, 0, memory_order_release` -> `after->waits, 0, memory_order_relaxed`: violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
};

static _Atomic(struct node *) tail;
static struct node nodes[2];
static int counter;

static void lock(struct node *me)
{
    atomic_store_explicit(&me->waits, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (before) {
        atomic_store_explicit(&before->next, me, memory_order_release);
        while (atomic_load_explicit(&me->waits, memory_order_acquire))
            ;
    }
}

static void unlock(struct node *me)
{
    struct node *after = atomic_load_explicit(&me->next, memory_order_acquire);
    if (!after) {
        struct node *last = me;
        if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, memory_order_release, memory_order_relaxed))
            return;
        do
            after = atomic_load_explicit(&me->next, memory_order_acquire);
        while (!after);
    }
    atomic_store_explicit(&after->waits, 0, memory_order_release);
}

static void *thread(void *arg)
{
    lock(&nodes[(long)arg]);
    counter++;
    unlock(&nodes[(long)arg]);
    return NULL;
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
