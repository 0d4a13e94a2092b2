// A read-write lock with a bias: readers of a biased lock only mark a slot of their own, and a writer takes the bias away.
// expect[sc,tso,rc11]: verified
// twin[tso] `memory_order_seq_cst); // reader` -> `memory_order_acq_rel); // reader`: violation=assertion line=77
// twin[rc11] `memory_order_seq_cst); // reader` -> `memory_order_acq_rel); // reader`: violation=race lines=77,86
// twin[tso] `memory_order_seq_cst); // writer` -> `memory_order_acq_rel); // writer`: violation=assertion line=77
// twin[rc11] `memory_order_seq_cst); // writer` -> `memory_order_acq_rel); // writer`: violation=race lines=77,86
// Leaving, and waiting for those who leave.
// twin[rc11] `&slots[self], false, memory_order_release` -> `&slots[self], false, memory_order_relaxed`: violation=race lines=77,86
// twin[rc11] `&slots[i], memory_order_acquire` -> `&slots[i], memory_order_relaxed`: violation=race lines=77,86
// Who gives the bias back hands on what the writer before has done.
// twin[rc11] `&biased, true, memory_order_release` -> `&biased, true, memory_order_relaxed`: violation=race lines=77,86
// twin[rc11] `&biased, memory_order_acquire` -> `&biased, memory_order_relaxed`: violation=race lines=77,86
// A reader that does not look again after it has marked its slot.
// twin[sc] `if (is_biased()) // still` -> ``: violation=assertion line=77
// A reader that takes the slow way, and leaves its mark.
// twin[sc,rc11] `atomic_store_explicit(&slots[self], false, memory_order_relaxed); // too late` -> ``: violation=liveness line=64
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define READERS 2

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_bool biased = true;
static atomic_bool slots[READERS];
static int config[2]; // guarded by the lock

static bool is_biased(void)
{
    return atomic_load_explicit(&biased, memory_order_acquire);
}

// Whether the lock was taken by a mark.
static bool read_lock(int self)
{
    if (atomic_load_explicit(&biased, memory_order_relaxed)) {
        atomic_store_explicit(&slots[self], true, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst); // reader: marked before we look again
        if (is_biased()) // still
            return true;
        atomic_store_explicit(&slots[self], false, memory_order_relaxed); // too late
    }
    pthread_rwlock_rdlock(&rwlock);
    atomic_store_explicit(&biased, true, memory_order_release); // no writer is here
    return false;
}

static void read_unlock(int self, bool marked)
{
    if (marked)
        atomic_store_explicit(&slots[self], false, memory_order_release);
    else
        pthread_rwlock_unlock(&rwlock);
}

static void write_lock(void)
{
    pthread_rwlock_wrlock(&rwlock);
    atomic_store_explicit(&biased, false, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); // writer: the bias is gone before we look for marks
    for (int i = 0; i < READERS; i++)
        while (atomic_load_explicit(&slots[i], memory_order_acquire))
            ;
}

static void write_unlock(void)
{
    pthread_rwlock_unlock(&rwlock);
}

static void *reader(void *arg)
{
    int self = (int)(intptr_t)arg;
    bool marked = read_lock(self);
    assert(config[0] == config[1]);
    read_unlock(self, marked);
    return NULL;
}

static void *writer(void *arg)
{
    (void)arg;
    write_lock();
    config[0] = config[1] = 1;
    write_unlock();
    return NULL;
}

int main(void)
{
    pthread_t threads[READERS + 1];
    for (intptr_t i = 0; i < READERS; i++)
        pthread_create(&threads[i], NULL, reader, (void *)i);
    pthread_create(&threads[READERS], NULL, writer, NULL);
    for (int i = 0; i <= READERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
