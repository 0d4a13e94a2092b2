// Quiescent-state-based reclamation: readers say from time to time that they hold no pointer, without any fence.
// expect[sc,tso,rc11]: verified
// twin[rc11] `now, memory_order_release` -> `now, memory_order_relaxed`: violation=freed line=79
// twin[rc11] `&seen[i], memory_order_acquire` -> `&seen[i], memory_order_relaxed`: violation=freed line=79
// A reader that knows the number of the grace period, but not what was unlinked before it.
// twin[rc11] `&period, memory_order_acquire` -> `&period, memory_order_relaxed`: violation=freed line=79
// twin[rc11] `&period, 1, memory_order_release` -> `&period, 1, memory_order_relaxed`: violation=freed line=79
// twin[rc11] `OFFLINE, memory_order_release` -> `OFFLINE, memory_order_relaxed`: violation=freed line=79
// A pointer that is used after the quiescent state.
// twin[sc,tso,rc11] `quiescent(self); // between` -> `struct rule *kept = atomic_load(&rule); quiescent(self); total = 1 + kept->weight; //`: violation=freed line=79
// A reader that does not say goodbye.
// twin[sc,rc11] `offline(self);` -> ``: violation=liveness line=53
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define READERS 2
#define OFFLINE UINT_MAX

struct rule {
    int weight;
};

static _Atomic(struct rule *) rule;
static atomic_uint period; // counts grace periods
static atomic_uint seen[READERS];

static struct rule *rule_new(int weight)
{
    struct rule *rule = malloc(sizeof *rule);
    rule->weight = weight;
    return rule;
}

static void quiescent(int self)
{
    unsigned now = atomic_load_explicit(&period, memory_order_acquire);
    atomic_store_explicit(&seen[self], now, memory_order_release);
}

static void offline(int self)
{
    atomic_store_explicit(&seen[self], OFFLINE, memory_order_release);
}

static void synchronize(void)
{
    unsigned target = atomic_fetch_add_explicit(&period, 1, memory_order_release) + 1;
    for (int i = 0; i < READERS; i++)
        while (atomic_load_explicit(&seen[i], memory_order_acquire) < target)
            ;
}

static int apply(void)
{
    struct rule *current = atomic_load_explicit(&rule, memory_order_acquire);
    return current->weight;
}

static void *reader(void *arg)
{
    int self = (int)(intptr_t)arg;
    int total = apply();
    quiescent(self); // between two packets
    total += apply();
    offline(self);
    assert(total == 2 || total == 3 || total == 4);
    return NULL;
}

static void *updater(void *arg)
{
    (void)arg;
    struct rule *old = atomic_exchange_explicit(&rule, rule_new(2), memory_order_acq_rel);
    synchronize();
    free(old);
    return NULL;
}

int main(void)
{
    pthread_t threads[READERS + 1];
    atomic_init(&rule, rule_new(1));
    for (intptr_t i = 0; i < READERS; i++)
        pthread_create(&threads[i], NULL, reader, (void *)i);
    pthread_create(&threads[READERS], NULL, updater, NULL);
    for (int i = 0; i <= READERS; i++)
        pthread_join(threads[i], NULL);
    free(atomic_load(&rule));
    return 0;
}
