// Michael and Scott's lock-free queue: two threads add a value, a third takes two. Source: Michael and Scott 1996.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// twin[sc,tso,rc11] `append(last, node)` -> `(atomic_store(&last->next, node), 1)`: violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail; // head is a dummy; the first value is in the node after it

static struct node *new_node(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    return node;
}

static void swing(_Atomic(struct node *) *end, struct node *from, struct node *to)
{
    atomic_compare_exchange_strong(end, &from, to);
}

static bool append(struct node *last, struct node *node)
{
    struct node *nothing = NULL;
    return atomic_compare_exchange_strong(&last->next, &nothing, node);
}

static void enqueue(int value)
{
    struct node *node = new_node(value);
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&last->next);
        if (next) {
            swing(&tail, last, next); // help the one that was here first
        } else if (append(last, node)) {
            swing(&tail, last, node);
            return;
        }
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = atomic_load(&head);
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (!next)
            return 0;
        if (first == last)
            swing(&tail, last, next);
        else if (atomic_compare_exchange_strong(&head, &first, next))
            return next->value;
    }
}

static void *producer(void *arg)
{
    enqueue((int)(intptr_t)arg);
    return NULL;
}

static void *consumer(void *arg)
{
    (void)arg;
    int first = dequeue();
    int second = dequeue();
    return (void *)(intptr_t)(first + second);
}

int main(void)
{
    pthread_t p[2], c;
    void *taken;
    struct node *dummy = new_node(0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
    pthread_create(&p[0], NULL, producer, (void *)1);
    pthread_create(&p[1], NULL, producer, (void *)2);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p[0], NULL);
    pthread_join(p[1], NULL);
    pthread_join(c, &taken);
    int left = dequeue() + dequeue();
    assert((intptr_t)taken + left == 1 + 2);
    assert(dequeue() == 0);
    return 0;
}
