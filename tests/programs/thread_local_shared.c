// An MCS lock whose nodes are thread-locals: each thread gives the address of its own to the other one.
// Either thread is first. The other one comes when the lock is free again; or before that, and is seen by the first
// look for a successor, or only after the attempt to leave no successor: 2 * 3 ways.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=6 blocked=0
// twin[rc11] `memory_order_release); /* hand over */` -> `memory_order_relaxed);`: violation=race line=50
// twin[rc11] `assert(mine.locked == 7);` -> `assert(mine.locked == 0);`: violation=assertion line=48
// twin[rc11] `static _Thread_local struct node mine` -> `static struct node mine`: violation=assertion line=48
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <assert.h>

struct node {
    atomic_int locked;
    struct node *_Atomic next;
};
static _Thread_local struct node mine = { 7, 0 };
static _Atomic(struct node *) tail;
static int counter;
static void lock(void)
{
    atomic_store_explicit(&mine.next, NULL, memory_order_relaxed);
    atomic_store_explicit(&mine.locked, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, &mine, memory_order_acq_rel);
    if (!before)
        return;
    atomic_store_explicit(&before->next, &mine, memory_order_release);
    while (atomic_load_explicit(&mine.locked, memory_order_acquire))
        ;
}

static void unlock(void)
{
    struct node *next = atomic_load_explicit(&mine.next, memory_order_acquire);
    if (!next) {
        struct node *me = &mine;
        if (atomic_compare_exchange_strong_explicit(&tail, &me, NULL, memory_order_acq_rel,
                                                    memory_order_relaxed))
            return;
        while (!(next = atomic_load_explicit(&mine.next, memory_order_acquire)))
            ;
    }
    atomic_store_explicit(&next->locked, 0, memory_order_release); /* hand over */
}

static void *run(void *arg)
{
    assert(mine.locked == 7);
    lock();
    counter++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
