// ms-queue(N): a thread enqueues N nodes, another one a node, a third dequeues once. Source: Michael and Scott, PODC 1996.
// An attempt fails only if another one succeeded in between, so that the loops end by themselves.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[N + 2]; // the first is the dummy
static _Atomic(struct node *) head = &nodes[0], tail = &nodes[0];

static int replace(_Atomic(struct node *) *place, struct node *old, struct node *new)
{
    return atomic_compare_exchange_strong_explicit(place, &old, new, memory_order_acq_rel, memory_order_acquire);
}

static void enqueue(struct node *node, int value)
{
    node->value = value;
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next != NULL) {
            replace(&tail, last, next); // help the one that linked it
        } else if (replace(&last->next, NULL, node)) {
            replace(&tail, last, node);
            return;
        }
    }
}

// A value, or 0 if the queue is empty.
static int dequeue(void)
{
    for (;;) {
        struct node *first = atomic_load_explicit(&head, memory_order_acquire);
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (next == NULL)
            return 0;
        if (first == last)
            replace(&tail, last, next);
        else if (replace(&head, first, next))
            return next->value;
    }
}

static void *many(void *arg)
{
    for (int i = 0; i < N; i++)
        enqueue(&nodes[1 + i], 1 + i);
    return arg;
}

static void *one(void *arg)
{
    enqueue(&nodes[N + 1], N + 1);
    return arg;
}

static void *taker(void *arg)
{
    int value = dequeue();
    assert(value == 0 || value == 1 || value == N + 1); // the first of one of the two threads
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, many, NULL);
    pthread_create(&b, NULL, one, NULL);
    pthread_create(&c, NULL, taker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
