// An MCS queue lock: each waiter spins on a node of its own, which lies on its stack, and the holder hands over to the next.
// expect[sc,tso,rc11]: verified
// twin[rc11] `&next->ready, true, memory_order_release` -> `&next->ready, true, memory_order_relaxed`: violation=race lines=77,77
// twin[rc11] `&self->ready, memory_order_acquire` -> `&self->ready, memory_order_relaxed`: violation=race lines=77,77
// Who finds the lock free has to see what the last holder did.
// twin[rc11] `self, memory_order_acq_rel` -> `self, memory_order_release`: violation=race lines=77,77
// twin[rc11] `&self, NULL, memory_order_release` -> `&self, NULL, memory_order_relaxed`: violation=race lines=77,77
// The initialisation of a node has to come before the go-ahead that is for it.
// twin[rc11] `&before->next, self, memory_order_release` -> `&before->next, self, memory_order_relaxed`: violation=race lines=37,69
// A successor has taken its place in the queue, but not yet linked itself.
// twin[sc,tso,rc11] `next = wait_for_link(self);` -> ``: violation=unallocated line=69
// The lock looks taken for ever when nobody comes after the last holder.
// twin[sc,rc11] `if (leave_queue(lock, self))` -> `if (0)`: violation=liveness line=50
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define THREADS 3

struct mcs_node {
    _Atomic(struct mcs_node *) next;
    atomic_bool ready;
};

struct mcs_lock {
    _Atomic(struct mcs_node *) tail;
};

static struct mcs_lock lock;
static long total; // guarded by lock

static void mcs_acquire(struct mcs_lock *lock, struct mcs_node *self)
{
    atomic_init(&self->next, NULL);
    atomic_init(&self->ready, false);
    // Release: who comes next finds our node initialised. Acquire: the lock may be free.
    struct mcs_node *before = atomic_exchange_explicit(&lock->tail, self, memory_order_acq_rel);
    if (!before)
        return;
    atomic_store_explicit(&before->next, self, memory_order_release);
    while (!atomic_load_explicit(&self->ready, memory_order_acquire))
        ;
}

static struct mcs_node *wait_for_link(struct mcs_node *self)
{
    struct mcs_node *next;
    while (!(next = atomic_load_explicit(&self->next, memory_order_acquire)))
        ;
    return next;
}

static bool leave_queue(struct mcs_lock *lock, struct mcs_node *self)
{
    return atomic_compare_exchange_strong_explicit(&lock->tail, &self, NULL, memory_order_release,
                                                   memory_order_relaxed);
}

static void mcs_release(struct mcs_lock *lock, struct mcs_node *self)
{
    struct mcs_node *next = atomic_load_explicit(&self->next, memory_order_acquire);
    if (!next) {
        if (leave_queue(lock, self))
            return;
        next = wait_for_link(self);
    }
    atomic_store_explicit(&next->ready, true, memory_order_release);
}

static void *thread(void *arg)
{
    struct mcs_node node;
    (void)arg;
    mcs_acquire(&lock, &node);
    total += 5;
    mcs_release(&lock, &node);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(total == 5 * THREADS);
    return 0;
}
