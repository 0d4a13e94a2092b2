// A big-reader lock: a reader writes only to its own slot, and a writer looks at all of them.
// expect[sc,tso,rc11]: verified
// Reader and writer overlook each other, as in store buffering.
// twin[tso] `memory_order_seq_cst); // reader` -> `memory_order_acq_rel); // reader`: violation=assertion line=75
// twin[rc11] `memory_order_seq_cst); // reader` -> `memory_order_acq_rel); // reader`: violation=race lines=73,83
// twin[rc11] `memory_order_seq_cst); // writer` -> `memory_order_acq_rel); // writer`: violation=race lines=73,83
// The writer goes ahead before the reader has finished reading.
// twin[rc11] `&slot->reading, false, memory_order_release` -> `&slot->reading, false, memory_order_relaxed`: violation=race lines=73,83
// A reader on the fast path does not see what the last writer wrote.
// twin[rc11] `&lock->writing, false, memory_order_release` -> `&lock->writing, false, memory_order_relaxed`: violation=race lines=73,83
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define READERS 2

struct slot {
    _Alignas(64) atomic_bool reading;
};

struct brlock {
    pthread_mutex_t mutex; // held by writers, and by readers that met one
    atomic_bool writing;
    struct slot slots[READERS];
};

static struct brlock lock = {.mutex = PTHREAD_MUTEX_INITIALIZER};
static int table[2]; // both entries are equal

// Whether the fast path succeeded; otherwise the reader holds the mutex.
static bool read_lock(struct brlock *lock, struct slot *slot)
{
    atomic_store_explicit(&slot->reading, true, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); // reader: announce ourselves before we look for a writer
    if (!atomic_load_explicit(&lock->writing, memory_order_acquire))
        return true;
    atomic_store_explicit(&slot->reading, false, memory_order_relaxed); // nothing was read
    pthread_mutex_lock(&lock->mutex);
    return false;
}

static void read_unlock(struct brlock *lock, struct slot *slot, bool fast)
{
    if (fast)
        atomic_store_explicit(&slot->reading, false, memory_order_release);
    else
        pthread_mutex_unlock(&lock->mutex);
}

static void write_lock(struct brlock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    atomic_store_explicit(&lock->writing, true, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); // writer: announce ourselves before we look for readers
    for (int i = 0; i < READERS; i++)
        while (atomic_load_explicit(&lock->slots[i].reading, memory_order_acquire))
            ;
}

static void write_unlock(struct brlock *lock)
{
    atomic_store_explicit(&lock->writing, false, memory_order_release);
    pthread_mutex_unlock(&lock->mutex);
}

static void *reader(void *arg)
{
    struct slot *slot = &lock.slots[(intptr_t)arg];
    bool fast = read_lock(&lock, slot);
    int first = table[0], second = table[1];
    read_unlock(&lock, slot, fast);
    assert(first == second);
    return NULL;
}

static void *writer(void *arg)
{
    (void)arg;
    write_lock(&lock);
    table[0]++;
    table[1]++;
    write_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t readers[READERS], writing;
    for (intptr_t i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, reader, (void *)i);
    pthread_create(&writing, NULL, writer, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    pthread_join(writing, NULL);
    return 0;
}
