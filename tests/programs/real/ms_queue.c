// Michael and Scott's queue with a dummy node; nodes come from the callers and stay allocated.
// expect[sc,tso,rc11]: verified
// twin[rc11] `&null, node, memory_order_release` -> `&null, node, memory_order_relaxed`: violation=race
// twin[rc11] `&first->next, memory_order_acquire` -> `&first->next, memory_order_relaxed`: violation=race lines=35,83
// The tail has to hand on the node it points to, of which the next enqueuer accesses the link.
// twin[rc11] `&expected, node, memory_order_release` -> `&expected, node, memory_order_relaxed`: violation=race
// twin[rc11] `&queue->tail, memory_order_acquire` -> `&queue->tail, memory_order_relaxed`: violation=race
// A link that is stored, not exchanged, loses the node of another.
// twin[sc,tso,rc11] `link_last(last, node)` -> `(atomic_store(&last->next, node), 1)`: violation=assertion line=116
// A head that is stored hands out a value twice.
// twin[sc,tso] `advance_head(queue, first, next)` -> `(atomic_store(&queue->head, next), 1)`: violation=assertion line=116
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    int value;
};

struct queue {
    _Atomic(struct node *) head; // the dummy
    _Atomic(struct node *) tail; // the last node, or the one before it
};

static struct queue queue;

static struct node *make_node(int value)
{
    struct node *node = malloc(sizeof *node);
    atomic_init(&node->next, NULL);
    node->value = value;
    return node;
}

static bool link_last(struct node *last, struct node *node)
{
    struct node *null = NULL;
    return atomic_compare_exchange_strong_explicit(&last->next, &null, node, memory_order_release,
                                                   memory_order_relaxed);
}

static void advance_tail(struct queue *queue, struct node *expected, struct node *node)
{
    atomic_compare_exchange_strong_explicit(&queue->tail, &expected, node, memory_order_release,
                                            memory_order_relaxed);
}

static bool advance_head(struct queue *queue, struct node *first, struct node *next)
{
    return atomic_compare_exchange_strong_explicit(&queue->head, &first, next, memory_order_release,
                                                   memory_order_relaxed);
}

static void enqueue(struct queue *queue, int value)
{
    struct node *node = make_node(value);
    for (;;) {
        struct node *last = atomic_load_explicit(&queue->tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next) {
            advance_tail(queue, last, next); // for the one who linked it
        } else if (link_last(last, node)) {
            advance_tail(queue, last, node);
            return;
        }
    }
}

static int dequeue(struct queue *queue)
{
    for (;;) {
        struct node *first = atomic_load_explicit(&queue->head, memory_order_acquire);
        struct node *last = atomic_load_explicit(&queue->tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (!next)
            return 0;
        if (first == last)
            advance_tail(queue, last, next); // the head must not overtake the tail
        int value = next->value;
        if (advance_head(queue, first, next))
            return value;
    }
}

static void *worker(void *arg)
{
    enqueue(&queue, (int)(intptr_t)arg + 1);
    return (void *)(intptr_t)dequeue(&queue);
}

static void *consumer(void *arg)
{
    (void)arg;
    return (void *)(intptr_t)dequeue(&queue);
}

int main(void)
{
    pthread_t threads[3];
    intptr_t sum = 0;
    struct node *dummy = make_node(0);
    atomic_init(&queue.head, dummy);
    atomic_init(&queue.tail, dummy);
    pthread_create(&threads[0], NULL, worker, (void *)0);
    pthread_create(&threads[1], NULL, worker, (void *)1);
    pthread_create(&threads[2], NULL, consumer, NULL);
    for (int i = 0; i < 3; i++) {
        void *got;
        pthread_join(threads[i], &got);
        sum += (intptr_t)got;
    }
    assert(sum == 1 + 2 && dequeue(&queue) == 0);
    return 0;
}
