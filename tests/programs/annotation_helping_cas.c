// Three threads append to a queue. Who finds the tail behind leaves it to the thread that appended the last node.
// expect[sc,tso,pso,ra,rc11,rc11-genmc,rc11-ra]: verified complete=6
// One execution for each order of the nodes. It does not count who waited for whom.
// twin[sc,rc11] `// between` -> `(void)atomic_load_explicit(&tail, memory_order_acquire);`: violation=annotation
// twin[sc,rc11] `__VERIFIER_helped_CAS(` -> `(`: violation=annotation
// twin[sc,rc11] `&last, node, // helped` -> `&last, last, // helped`: violation=annotation
// twin[sc,rc11] `// again` -> `atomic_store_explicit(&tail, &nodes[0], memory_order_release);`: violation=annotation
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define N 3

struct node {
    _Atomic(struct node *) next;
};

static struct node nodes[N + 1]; // the first is the dummy
static _Atomic(struct node *) tail = &nodes[0];

static void *append(void *arg)
{
    struct node *node = &nodes[(intptr_t)arg];
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next != NULL) {
            __VERIFIER_helping_CAS(atomic_compare_exchange_strong_explicit(
                &tail, &last, next, memory_order_acq_rel, memory_order_acquire));
        } else if (atomic_compare_exchange_strong_explicit(
                       &last->next, &next, node, memory_order_acq_rel, memory_order_acquire)) {
            // between
            __VERIFIER_helped_CAS(atomic_compare_exchange_strong_explicit(
                &tail, &last, node, // helped
                memory_order_acq_rel, memory_order_acquire));
            // again
            return NULL;
        }
    }
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, append, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
