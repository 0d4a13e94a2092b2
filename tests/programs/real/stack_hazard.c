// A lock-free stack that frees its nodes: a hazard pointer per thread keeps the node that is being popped alive.
// expect[sc,tso,rc11]: verified
// twin[tso,rc11] `memory_order_seq_cst); // protect` -> `memory_order_acq_rel); // protect`: violation=freed line=60
// twin[rc11] `memory_order_seq_cst); // reclaim` -> `memory_order_acq_rel); // reclaim`: violation=freed line=60
// NULL may be stored relaxed: who has tried another node before has passed the fence of the last round since then.
// twin[rc11] `hazards[i], memory_order_acquire` -> `hazards[i], memory_order_relaxed`: violation=freed line=45
// twin[rc11] `hazard, node, memory_order_release` -> `hazard, node, memory_order_relaxed`: violation=freed line=45
// Protected, but perhaps too late.
// twin[sc,tso,rc11] `atomic_load_explicit(&top, memory_order_acquire) != node` -> `0`: violation=freed line=60
// A push that does not release its node.
// twin[rc11] `&next, node, memory_order_release` -> `&next, node, memory_order_relaxed`: violation=race lines=34,60
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS 2

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) top;
static _Atomic(struct node *) hazards[THREADS];

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    struct node *next = atomic_load_explicit(&top, memory_order_relaxed);
    do
        node->next = next;
    while (!atomic_compare_exchange_weak_explicit(&top, &next, node, memory_order_release,
                                                  memory_order_relaxed));
}

static void reclaim(struct node *node)
{
    atomic_thread_fence(memory_order_seq_cst); // reclaim: it is off the stack before we look for users
    for (int i = 0; i < THREADS; i++)
        while (atomic_load_explicit(&hazards[i], memory_order_acquire) == node)
            ;
    free(node);
}

static int pop(int self)
{
    _Atomic(struct node *) *hazard = &hazards[self];
    for (;;) {
        struct node *node = atomic_load_explicit(&top, memory_order_relaxed);
        if (!node)
            return 0;
        // Release: in a second round this gives up the node of the first, of which we have read the link.
        atomic_store_explicit(hazard, node, memory_order_release);
        atomic_thread_fence(memory_order_seq_cst); // protect: announced before we look again
        if (atomic_load_explicit(&top, memory_order_acquire) != node)
            continue;
        struct node *next = node->next, *expected = node;
        if (atomic_compare_exchange_strong_explicit(&top, &expected, next, memory_order_acquire,
                                                    memory_order_relaxed)) {
            int value = node->value;
            atomic_store_explicit(hazard, NULL, memory_order_release);
            reclaim(node);
            return value;
        }
    }
}

static void *thread(void *arg)
{
    int self = (int)(intptr_t)arg;
    push(self + 1);
    return (void *)(intptr_t)pop(self);
}

int main(void)
{
    pthread_t threads[THREADS];
    intptr_t sum = 0;
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *value;
        pthread_join(threads[i], &value);
        sum += (intptr_t)value;
    }
    assert(sum == 1 + 2 && !atomic_load(&top));
    return 0;
}
