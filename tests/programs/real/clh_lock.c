// A CLH queue lock whose nodes move from thread to thread: who unlocks goes on with its predecessor's node.
// expect[sc,tso,rc11]: verified
// The successor may see the node as it was before it was queued, and enter at once.
// twin[rc11] `me->node, memory_order_acq_rel` -> `me->node, memory_order_acquire`: violation=race lines=61,61
// twin[rc11] `me->node, memory_order_acq_rel` -> `me->node, memory_order_release`: violation=race lines=61,61
// twin[rc11] `&me->before->busy, memory_order_acquire` -> `&me->before->busy, memory_order_relaxed`: violation=race lines=61,61
// twin[rc11] `&me->node->busy, false, memory_order_release` -> `&me->node->busy, false, memory_order_relaxed`: violation=race lines=61,61
// A thread that keeps its own node overwrites what its successor waits for.
// twin[sc,rc11] `me->node = me->before;` -> ``: violation=liveness line=45
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct clh_node {
    atomic_bool busy; // its owner waits for the lock or holds it
};

struct clh_lock {
    _Atomic(struct clh_node *) tail;
};

struct clh_thread {
    struct clh_node *node;   // ours, until the next unlock
    struct clh_node *before; // that of the thread before us in the queue
};

static struct clh_lock lock;
static int shared;

static struct clh_node *new_node(void)
{
    struct clh_node *node = malloc(sizeof *node);
    atomic_init(&node->busy, false);
    return node;
}

static void clh_acquire(struct clh_lock *lock, struct clh_thread *me)
{
    atomic_store_explicit(&me->node->busy, true, memory_order_relaxed);
    // Release: our successor must see that we are busy. Acquire: so must we, of our predecessor.
    me->before = atomic_exchange_explicit(&lock->tail, me->node, memory_order_acq_rel);
    while (atomic_load_explicit(&me->before->busy, memory_order_acquire))
        ;
}

static void clh_release(struct clh_thread *me)
{
    atomic_store_explicit(&me->node->busy, false, memory_order_release);
    me->node = me->before; // nobody looks at it any more, while our successor may look at ours
}

static void *thread(void *arg)
{
    (void)arg;
    struct clh_thread me = {.node = new_node()};
    for (int i = 0; i < 2; i++) {
        clh_acquire(&lock, &me);
        shared++;
        clh_release(&me);
    }
    free(me.node);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    atomic_init(&lock.tail, new_node());
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(shared == 4);
    free(atomic_load(&lock.tail));
    return 0;
}
