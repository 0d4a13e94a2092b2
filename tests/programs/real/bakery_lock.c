// Lamport's bakery lock for two cores that have no read-modify-writes, with fences in both of its steps.
// expect[sc,tso,rc11]: verified
// twin[tso] `memory_order_seq_cst); // doorway` -> `memory_order_acq_rel); // doorway`: violation=assertion line=62
// twin[rc11] `memory_order_seq_cst); // doorway` -> `memory_order_acq_rel); // doorway`: violation=race lines=61,61
// twin[tso] `memory_order_seq_cst); // queue` -> `memory_order_acq_rel); // queue`: violation=assertion line=62
// twin[rc11] `memory_order_seq_cst); // queue` -> `memory_order_acq_rel); // queue`: violation=race lines=61,61
// twin[rc11] `false, memory_order_release` -> `false, memory_order_relaxed`: violation=race lines=61,61
// twin[rc11] `&number[other], memory_order_acquire` -> `&number[other], memory_order_relaxed`: violation=race lines=61,61
// twin[rc11] `0, memory_order_release` -> `0, memory_order_relaxed`: violation=race lines=61,61
// Two that drew the same number.
// twin[sc,tso] `theirs == mine && other < self` -> `0`: violation=assertion line=62
// twin[sc,rc11] `theirs == mine && other < self` -> `theirs == mine`: violation=liveness line=48
// A number that is looked at while its owner is still drawing it.
// twin[rc11] `wait_until_drawn(other);` -> ``: violation=race lines=61,61
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static atomic_bool drawing[2];
static atomic_uint number[2];
static int inside; // guarded by the lock

static void wait_until_drawn(int other)
{
    while (atomic_load_explicit(&drawing[other], memory_order_acquire))
        ;
}

static bool before_us(int other, int self, unsigned mine)
{
    unsigned theirs = atomic_load_explicit(&number[other], memory_order_acquire);
    return theirs != 0 && (theirs < mine || (theirs == mine && other < self));
}

static void bakery_lock(int self)
{
    int other = 1 - self;
    atomic_store_explicit(&drawing[self], true, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); // doorway: who misses our number is seen by us
    unsigned mine = atomic_load_explicit(&number[other], memory_order_relaxed) + 1;
    atomic_store_explicit(&number[self], mine, memory_order_relaxed);
    atomic_store_explicit(&drawing[self], false, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst); // queue: our number is out before we look at theirs
    wait_until_drawn(other);
    while (before_us(other, self, mine))
        ;
}

static void bakery_unlock(int self)
{
    atomic_store_explicit(&number[self], 0, memory_order_release);
}

static void *core(void *arg)
{
    int self = (int)(intptr_t)arg;
    bakery_lock(self);
    inside++;
    assert(inside == 1);
    inside--;
    bakery_unlock(self);
    return NULL;
}

int main(void)
{
    pthread_t cores[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&cores[i], NULL, core, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(cores[i], NULL);
    return 0;
}
