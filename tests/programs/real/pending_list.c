// A list of pending work that is pushed to without a lock and taken all at once; who finds it empty wakes the worker.
// expect[sc,tso,rc11]: verified
// twin[rc11] `work, memory_order_release` -> `work, memory_order_relaxed`: violation=race lines=55,62
// twin[rc11] `NULL, memory_order_acquire` -> `NULL, memory_order_relaxed`: violation=race lines=55,62
// Pushed by a store: what came in between gets lost.
// twin[sc,tso,rc11] `replace_first(list, &first, work)` -> `(atomic_store(&list->first, work), true)`: violation=assertion line=88
// Nobody feels responsible for waking the worker.
// twin[sc,rc11] `return first == NULL;` -> `return first == work;`: violation=liveness line=71
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct work {
    struct work *next;
    int cost;
};

struct pending {
    _Atomic(struct work *) first;
    atomic_int wakeups;
};

static struct pending pending;
static struct work works[2];

static bool replace_first(struct pending *list, struct work **first, struct work *work)
{
    return atomic_compare_exchange_weak_explicit(&list->first, first, work, memory_order_release,
                                                 memory_order_relaxed);
}

// Whether the list was empty.
static bool pending_add(struct pending *list, struct work *work)
{
    struct work *first = atomic_load_explicit(&list->first, memory_order_relaxed);
    do
        work->next = first;
    while (!replace_first(list, &first, work)); // releases the work and its link
    return first == NULL;
}

// Acquire: pairs with all who have pushed, because their exchanges are one release sequence.
static struct work *pending_take_all(struct pending *list)
{
    return atomic_exchange_explicit(&list->first, NULL, memory_order_acquire);
}

static int run_all(struct pending *list)
{
    int cost = 0;
    for (struct work *work = pending_take_all(list); work; work = work->next)
        cost += work->cost;
    return cost;
}

static void *interrupt(void *arg)
{
    struct work *work = arg;
    work->cost = (int)(work - works) + 1;
    if (pending_add(&pending, work))
        atomic_fetch_add_explicit(&pending.wakeups, 1, memory_order_relaxed);
    return NULL;
}

static void *worker(void *arg)
{
    int *cost = arg;
    while (atomic_load_explicit(&pending.wakeups, memory_order_relaxed) == 0)
        ;
    *cost += run_all(&pending);
    return NULL;
}

int main(void)
{
    pthread_t interrupts[2], working;
    int cost = 0;
    pthread_create(&working, NULL, worker, &cost);
    for (int i = 0; i < 2; i++)
        pthread_create(&interrupts[i], NULL, interrupt, &works[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(interrupts[i], NULL);
    pthread_join(working, NULL);
    cost += run_all(&pending);
    assert(cost == 1 + 2);
    return 0;
}
