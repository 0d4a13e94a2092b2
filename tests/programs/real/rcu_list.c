// A list that is walked without locks; who removes an entry waits for the walks that have begun before it is freed.
// expect[sc,tso,rc11]: verified
// twin[tso,rc11] `memory_order_seq_cst); // walk` -> `memory_order_acq_rel); // walk`: violation=freed line=60
// twin[tso,rc11] `memory_order_seq_cst); // remove` -> `memory_order_acq_rel); // remove`: violation=freed line=60
// twin[rc11] `&walking[self], false, memory_order_release` -> `&walking[self], false, memory_order_relaxed`: violation=freed line=60
// twin[rc11] `&walking[i], memory_order_acquire` -> `&walking[i], memory_order_relaxed`: violation=freed line=60
// A new entry is found before it is filled in.
// twin[rc11] `&list, entry, memory_order_release` -> `&list, entry, memory_order_relaxed`: violation=race lines=33,70
// twin[rc11] `&list, memory_order_acquire` -> `&list, memory_order_relaxed`: violation=race lines=33,70
// Freed at once.
// twin[sc,tso,rc11] `    wait_for_walks();` -> ``: violation=freed line=60
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define WALKERS 2

struct entry {
    _Atomic(struct entry *) next;
    int key;
};

static _Atomic(struct entry *) list;
static pthread_mutex_t changes = PTHREAD_MUTEX_INITIALIZER; // one change at a time
static atomic_bool walking[WALKERS];

static void add(int key)
{
    struct entry *entry = malloc(sizeof *entry);
    entry->key = key;
    pthread_mutex_lock(&changes);
    atomic_init(&entry->next, atomic_load_explicit(&list, memory_order_relaxed));
    atomic_store_explicit(&list, entry, memory_order_release);
    pthread_mutex_unlock(&changes);
}

static void wait_for_walks(void)
{
    atomic_thread_fence(memory_order_seq_cst); // remove: the entry is unlinked before we look
    for (int i = 0; i < WALKERS; i++)
        while (atomic_load_explicit(&walking[i], memory_order_acquire))
            ;
}

static void remove_last(void)
{
    pthread_mutex_lock(&changes);
    _Atomic(struct entry *) *link = &list;
    struct entry *entry = atomic_load_explicit(link, memory_order_relaxed), *next;
    while ((next = atomic_load_explicit(&entry->next, memory_order_relaxed))) {
        link = &entry->next;
        entry = next;
    }
    atomic_store_explicit(link, NULL, memory_order_relaxed);
    pthread_mutex_unlock(&changes);
    wait_for_walks();
    free(entry);
}

static int walk(int self)
{
    int sum = 0;
    atomic_store_explicit(&walking[self], true, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); // walk: announced before we look at the first link
    struct entry *entry = atomic_load_explicit(&list, memory_order_acquire);
    for (; entry; entry = atomic_load_explicit(&entry->next, memory_order_acquire))
        sum += entry->key;
    atomic_store_explicit(&walking[self], false, memory_order_release);
    return sum;
}

static void *walker(void *arg)
{
    int sum = walk((int)(intptr_t)arg);
    assert(sum == 2 || sum == 3 || sum == 6 || sum == 7);
    return NULL;
}

static void *changer(void *arg)
{
    (void)arg;
    add(4);
    remove_last();
    return NULL;
}

int main(void)
{
    pthread_t threads[WALKERS + 1];
    add(1);
    add(2);
    for (intptr_t i = 0; i < WALKERS; i++)
        pthread_create(&threads[i], NULL, walker, (void *)i);
    pthread_create(&threads[WALKERS], NULL, changer, NULL);
    for (int i = 0; i <= WALKERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
