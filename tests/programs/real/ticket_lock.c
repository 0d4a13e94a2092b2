// A ticket lock around the accounts of a ledger: first come, first served.
// expect[sc,tso,rc11]: verified
// twin[rc11] `&lock->serving, memory_order_acquire` -> `&lock->serving, memory_order_relaxed`: violation=race lines=45,46
// twin[rc11] `(mine + 1), memory_order_release` -> `(mine + 1), memory_order_relaxed`: violation=race lines=45,46
// Two threads draw the same ticket.
// twin[rc11] `atomic_fetch_add_explicit(&lock->next, 1, memory_order_relaxed)` -> `(lock->next = lock->next + 1) - 1`: violation=liveness line=31
// A holder that leaves without calling the next number.
// twin[sc,rc11] `ticket_unlock(&ledger->lock);` -> ``: violation=liveness line=31
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct ticket_lock {
    _Atomic uint16_t next;    // the next ticket to be drawn
    _Atomic uint16_t serving; // the ticket that may enter
};

struct ledger {
    struct ticket_lock lock;
    int balance[3]; // guarded by lock
};

static struct ledger *ledger;

static void ticket_lock(struct ticket_lock *lock)
{
    // Relaxed is enough: drawing a ticket only decides about the order, and the wait below synchronises.
    uint16_t mine = atomic_fetch_add_explicit(&lock->next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&lock->serving, memory_order_acquire) != mine)
        ;
}

static void ticket_unlock(struct ticket_lock *lock)
{
    // Only the holder writes serving, so it reads its own value.
    uint16_t mine = atomic_load_explicit(&lock->serving, memory_order_relaxed);
    atomic_store_explicit(&lock->serving, (uint16_t)(mine + 1), memory_order_release);
}

static void transfer(struct ledger *ledger, int from, int to, int amount)
{
    ticket_lock(&ledger->lock);
    ledger->balance[from] -= amount;
    ledger->balance[to] += amount;
    ticket_unlock(&ledger->lock);
}

static void *thread(void *arg)
{
    int account = (int)(intptr_t)arg;
    transfer(ledger, account, (account + 1) % 3, 10 * (account + 1));
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    ledger = calloc(1, sizeof *ledger);
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(ledger->balance[0] == 20 && ledger->balance[1] == -10 && ledger->balance[2] == -10);
    free(ledger);
    return 0;
}
