// Readers count themselves in one of two counters; the updater flips to the other one and waits for the first to drain.
// expect[sc,tso,rc11]: verified
// twin[rc11] `memory_order_seq_cst); // enter` -> `memory_order_acq_rel); // enter`: violation=freed line=74
// twin[rc11] `memory_order_seq_cst); // flip` -> `memory_order_acq_rel); // flip`: violation=freed line=74
// twin[rc11] `1, memory_order_release` -> `1, memory_order_relaxed`: violation=freed line=74
// twin[rc11] `&domain->readers[i], memory_order_acquire` -> `&domain->readers[i], memory_order_relaxed`: violation=freed line=74
// One of the counters is not waited for.
// twin[sc,tso,rc11] `int i = 0; i < 2; i++) // both` -> `int i = 1; i < 2; i++) // both`: violation=freed line=74
// A reader that leaves by the other door.
// twin[sc,rc11] `leave(&domain, ticket)` -> `leave(&domain, !ticket)`: violation=liveness line=48
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct domain {
    atomic_int current;    // which counter new readers use
    atomic_int readers[2]; // readers inside, by what they have seen in current
};

struct policy {
    int low, high;
};

static struct domain domain;
static _Atomic(struct policy *) policy;

static int enter(struct domain *domain)
{
    int ticket = atomic_load_explicit(&domain->current, memory_order_relaxed);
    atomic_fetch_add_explicit(&domain->readers[ticket], 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); // enter: counted before we read protected pointers
    return ticket;
}

static void leave(struct domain *domain, int ticket)
{
    atomic_fetch_sub_explicit(&domain->readers[ticket], 1, memory_order_release);
}

static void synchronize(struct domain *domain) // one updater
{
    int current = atomic_load_explicit(&domain->current, memory_order_relaxed);
    atomic_store_explicit(&domain->current, !current, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); // flip: the pointer has changed before we look for readers
    for (int i = 0; i < 2; i++) // both: a reader may have drawn its ticket before an earlier flip
        while (atomic_load_explicit(&domain->readers[i], memory_order_acquire))
            ;
}

static struct policy *policy_new(int low)
{
    struct policy *policy = malloc(sizeof *policy);
    *policy = (struct policy){.low = low, .high = low + 10};
    return policy;
}

static void *reader(void *arg)
{
    (void)arg;
    int ticket = enter(&domain);
    struct policy *current = atomic_load_explicit(&policy, memory_order_acquire);
    assert(current->high - current->low == 10);
    leave(&domain, ticket);
    return NULL;
}

static void *updater(void *arg)
{
    (void)arg;
    struct policy *old = atomic_exchange_explicit(&policy, policy_new(5), memory_order_acq_rel);
    synchronize(&domain);
    free(old);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    atomic_init(&policy, policy_new(1));
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i < 2 ? reader : updater, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    free(atomic_load(&policy));
    return 0;
}
