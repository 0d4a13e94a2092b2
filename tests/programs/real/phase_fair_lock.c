// A phase-fair read-write lock: readers wait for at most one writer, and writers for the readers that came before them.
// expect[sc,tso,rc11]: verified
// twin[rc11] `ONE_READER, memory_order_acquire` -> `ONE_READER, memory_order_relaxed`: violation=race lines=69,77
// twin[rc11] `&lock->in, memory_order_acquire` -> `&lock->in, memory_order_relaxed`: violation=race lines=69,77
// twin[rc11] `ONE_READER, memory_order_release` -> `ONE_READER, memory_order_relaxed`: violation=race lines=69,77
// twin[rc11] `&lock->out, memory_order_acquire` -> `&lock->out, memory_order_relaxed`: violation=race lines=69,77
// twin[rc11] `~WRITER_BITS, memory_order_release` -> `~WRITER_BITS, memory_order_relaxed`: violation=race lines=69,77
// twin[rc11] `&lock->serving, memory_order_acquire` -> `&lock->serving, memory_order_relaxed`: violation=race lines=77,77
// twin[rc11] `ticket + 1, memory_order_release` -> `ticket + 1, memory_order_relaxed`: violation=race lines=77,77
// A writer that does not wait for the readers inside.
// twin[sc,tso] `!= readers)` -> `== ~readers)`: violation=assertion line=69
// twin[rc11] `!= readers)` -> `== ~readers)`: violation=race lines=69,77
// A phase bit that stays set keeps out all readers that come later.
// twin[sc,rc11] `~WRITER_BITS, memory_order_release` -> `~PRESENT, memory_order_release`: violation=liveness line=39
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define PRESENT 2u // a writer waits or writes
#define PHASE 1u   // one writer differs from the next
#define WRITER_BITS (PRESENT | PHASE)
#define ONE_READER 0x100u

struct rwlock {
    atomic_uint in;      // readers that came, and the bits of the writer
    atomic_uint out;     // readers that left
    atomic_uint next;    // the next ticket of writers
    atomic_uint serving; // the writer that may go on
};

static struct rwlock lock;
static int limits[2]; // guarded by lock

static void read_lock(struct rwlock *lock)
{
    unsigned writer = atomic_fetch_add_explicit(&lock->in, ONE_READER, memory_order_acquire) & WRITER_BITS;
    while (writer != 0 && (atomic_load_explicit(&lock->in, memory_order_acquire) & WRITER_BITS) == writer)
        ;
}

static void read_unlock(struct rwlock *lock)
{
    atomic_fetch_add_explicit(&lock->out, ONE_READER, memory_order_release);
}

static unsigned write_lock(struct rwlock *lock)
{
    unsigned ticket = atomic_fetch_add_explicit(&lock->next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&lock->serving, memory_order_acquire) != ticket)
        ;
    unsigned readers = atomic_fetch_add_explicit(&lock->in, PRESENT | (ticket & PHASE), memory_order_relaxed);
    while (atomic_load_explicit(&lock->out, memory_order_acquire) != readers)
        ;
    return ticket;
}

static void write_unlock(struct rwlock *lock, unsigned ticket)
{
    atomic_fetch_and_explicit(&lock->in, ~WRITER_BITS, memory_order_release);
    atomic_store_explicit(&lock->serving, ticket + 1, memory_order_release);
}

static void *reader(void *arg)
{
    (void)arg;
    read_lock(&lock);
    assert(limits[0] == limits[1]);
    read_unlock(&lock);
    return NULL;
}

static void *writer(void *arg)
{
    unsigned ticket = write_lock(&lock);
    limits[0] = limits[1] = (int)(intptr_t)arg;
    write_unlock(&lock, ticket);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, writer, (void *)10);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, writer, (void *)20);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
