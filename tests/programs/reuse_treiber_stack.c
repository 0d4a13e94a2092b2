// A Treiber stack that protects a node only while it reads 'next', not until its compare-exchange: if the node is freed
// and its memory is given out again in between, the exchange succeeds though the stack has changed (ABA).
// mazurka: --reuse-memory
// expect[sc,rc11]: violation=freed
// twin[sc] `hazard_until_exchange 0` -> `hazard_until_exchange 1`: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define hazard_until_exchange 0

struct node {
    struct node *next;
};
static _Atomic(struct node *) top;
static _Atomic(struct node *) hazard;

static void push(void) {
    struct node *node = malloc(sizeof *node);
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &node->next, node))
        ;
}

/* The owner of the stack waits until nobody looks at what it has removed. */
static void remove_top(void) {
    struct node *node = atomic_load(&top);
    if (node && atomic_compare_exchange_strong(&top, &node, node->next)) {
        while (atomic_load(&hazard) == node)
            ;
        free(node);
    }
}

static void *pop_once(void *unused) {
    struct node *node = atomic_load(&top);
    atomic_store(&hazard, node);
    if (node && atomic_load(&top) == node) {
        struct node *next = node->next;
        if (!hazard_until_exchange)
            atomic_store(&hazard, NULL);
        atomic_compare_exchange_strong(&top, &node, next);
    }
    atomic_store(&hazard, NULL);
    return unused;
}

int main(void) {
    pthread_t other;
    push();
    push();
    pthread_create(&other, NULL, pop_once, NULL);
    remove_top();
    remove_top();
    push();
    pthread_join(other, NULL);
    for (struct node *node = top; node; node = node->next)
        ;
}
