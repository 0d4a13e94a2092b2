// A read-write lock with tickets: writers wait for all who came before them, readers only for the writers.
// expect[sc,tso,rc11]: verified
// twin[rc11] `&lock->write, memory_order_acquire` -> `&lock->write, memory_order_relaxed`: violation=race
// twin[rc11] `&lock->read, memory_order_acquire` -> `&lock->read, memory_order_relaxed`: violation=race lines=59,67
// A reader lets the next one in, which then has to see what the writer before both of them did.
// twin[rc11] `mine + 1), memory_order_release` -> `mine + 1), memory_order_relaxed`: violation=race lines=59,67
// twin[rc11] `1, memory_order_release); // leave` -> `1, memory_order_relaxed); // leave`: violation=race lines=59,67
// twin[rc11] `1), memory_order_release); // readers` -> `1), memory_order_relaxed); // readers`: violation=race lines=59,67
// twin[rc11] `1, memory_order_release); // writers` -> `1, memory_order_relaxed); // writers`: violation=race
// A reader that keeps the next reader out blocks it for ever: it will never call its number.
// twin[sc,rc11] `atomic_store_explicit(&lock->read, (uint8_t)(mine + 1), memory_order_release);` -> ``: violation=liveness line=30
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct rwlock {
    _Atomic uint8_t next;  // the next ticket
    _Atomic uint8_t write; // the ticket that may write
    _Atomic uint8_t read;  // the ticket that may read
};

static struct rwlock lock;
static int route[2]; // guarded by lock

static void read_lock(struct rwlock *lock)
{
    uint8_t mine = atomic_fetch_add_explicit(&lock->next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&lock->read, memory_order_acquire) != mine)
        ;
    atomic_store_explicit(&lock->read, (uint8_t)(mine + 1), memory_order_release); // the next may read, too
}

static void read_unlock(struct rwlock *lock)
{
    atomic_fetch_add_explicit(&lock->write, 1, memory_order_release); // leave
}

static void write_lock(struct rwlock *lock)
{
    uint8_t mine = atomic_fetch_add_explicit(&lock->next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&lock->write, memory_order_acquire) != mine)
        ;
}

static void write_unlock(struct rwlock *lock)
{
    // All before us have passed, so read is our own ticket.
    uint8_t mine = atomic_load_explicit(&lock->read, memory_order_relaxed);
    atomic_store_explicit(&lock->read, (uint8_t)(mine + 1), memory_order_release); // readers
    atomic_fetch_add_explicit(&lock->write, 1, memory_order_release); // writers
}

static void *reader(void *arg)
{
    (void)arg;
    read_lock(&lock);
    assert(route[0] == route[1]);
    read_unlock(&lock);
    return NULL;
}

static void *writer(void *arg)
{
    write_lock(&lock);
    route[0] = route[1] = (int)(intptr_t)arg;
    write_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, writer, (void *)7);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, reader, NULL);
    pthread_create(&threads[3], NULL, writer, (void *)9);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
