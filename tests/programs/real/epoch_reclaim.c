// Epochs: what was unlinked two epochs ago is in nobody's hands, because every pinned thread has seen the last one.
// expect[sc,tso,rc11]: verified
// twin[tso,rc11] `memory_order_seq_cst); // pin` -> `memory_order_acq_rel); // pin`: violation=freed line=88
// twin[rc11] `memory_order_seq_cst); // advance` -> `memory_order_acq_rel); // advance`: violation=freed line=88
// twin[rc11] `IDLE, memory_order_release` -> `IDLE, memory_order_relaxed`: violation=freed line=88
// twin[rc11] `atomic_thread_fence(memory_order_acquire)` -> `atomic_thread_fence(memory_order_relaxed)`: violation=freed line=88
// One epoch is not enough: threads of the last one may still be at work.
// twin[sc,tso,rc11] `GRACE 2u` -> `GRACE 1u`: violation=freed line=88
// A thread that was pinned in an old epoch does not keep others from going on.
// twin[sc,tso,rc11] `if (state != IDLE && state != pinned_in(epoch))` -> `if (0)`: violation=freed line=88
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS 2
#define GRACE 2u
#define IDLE 0u

struct record {
    int key, value;
};

static _Atomic(struct record *) shared;
static atomic_uint global_epoch;
static atomic_uint states[THREADS]; // IDLE, or the epoch in which the thread is pinned

static unsigned pinned_in(unsigned epoch)
{
    return epoch << 1 | 1;
}

static void pin(int self)
{
    unsigned epoch = atomic_load_explicit(&global_epoch, memory_order_relaxed);
    atomic_store_explicit(&states[self], pinned_in(epoch), memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); // pin: our state is visible before we read shared pointers
}

static void unpin(int self)
{
    atomic_store_explicit(&states[self], IDLE, memory_order_release);
}

// Moves to the next epoch, if all pinned threads have seen this one.
static void try_advance(void)
{
    unsigned epoch = atomic_load_explicit(&global_epoch, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); // advance: what we unlinked is unlinked for all who pin later
    for (int i = 0; i < THREADS; i++) {
        unsigned state = atomic_load_explicit(&states[i], memory_order_relaxed);
        if (state != IDLE && state != pinned_in(epoch))
            return;
    }
    atomic_thread_fence(memory_order_acquire); // what idle threads have done is done
    atomic_store_explicit(&global_epoch, epoch + 1, memory_order_release);
}

static struct record *record_new(int key)
{
    struct record *record = malloc(sizeof *record);
    *record = (struct record){.key = key, .value = -key};
    return record;
}

static void *reader(void *arg)
{
    int self = (int)(intptr_t)arg;
    pin(self);
    struct record *record = atomic_load_explicit(&shared, memory_order_acquire);
    assert(record->value == -record->key);
    unpin(self);
    return NULL;
}

static void *updater(void *arg)
{
    int self = (int)(intptr_t)arg;
    pin(self);
    struct record *old = atomic_exchange_explicit(&shared, record_new(2), memory_order_acq_rel);
    unsigned retired = atomic_load_explicit(&global_epoch, memory_order_relaxed);
    unpin(self);
    for (int i = 0; i < 2; i++)
        try_advance();
    if (atomic_load_explicit(&global_epoch, memory_order_relaxed) - retired >= GRACE)
        free(old);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    atomic_init(&shared, record_new(1));
    pthread_create(&threads[0], NULL, reader, (void *)0);
    pthread_create(&threads[1], NULL, updater, (void *)1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
