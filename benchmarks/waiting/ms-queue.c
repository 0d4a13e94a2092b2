// ms-queue(N): N threads enqueue a node each; with DEQUEUES, the last ones of them dequeue instead. Source: Michael
// and Scott, PODC 1996. With HELP, who helps another to move the tail leaves it to that thread: then N enqueues have N!
// executions, one for each order.
#include "prelude.h"

#ifndef DEQUEUES
#define DEQUEUES 0
#endif
#ifdef HELP
#define helped __VERIFIER_helped_CAS
#define helping __VERIFIER_helping_CAS
#else
#define helped
#define helping
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[N + 1]; // the first is the dummy
static _Atomic(struct node *) head = &nodes[0], tail = &nodes[0];

static int put(_Atomic(struct node *) *place, struct node *old, struct node *new)
{
    return replace(place, &old, new, acq_rel, acquire);
}

// Moves the tail on to a node that this thread has linked.
static void move_tail(struct node *last, struct node *next)
{
    helped(replace(&tail, &last, next, acq_rel, acquire));
}

// Does so for the thread that has linked it.
static void help_to_move_tail(struct node *last, struct node *next)
{
    helping(replace(&tail, &last, next, acq_rel, acquire));
}

static void enqueue(struct node *node, int value)
{
    node->value = value;
    for (;;) {
        struct node *last = load(&tail, acquire);
        struct node *next = load(&last->next, acquire);
        if (last != load(&tail, acquire))
            continue;
        if (next != NULL) {
            help_to_move_tail(last, next);
        } else if (put(&last->next, NULL, node)) {
            move_tail(last, node);
            return;
        }
    }
}

// A value, or 0 if the queue is empty.
static int dequeue(void)
{
    for (;;) {
        struct node *first = load(&head, acquire);
        struct node *last = load(&tail, acquire);
        struct node *next = load(&first->next, acquire);
        if (first != load(&head, acquire))
            continue;
        if (next == NULL)
            return 0;
        if (first == last)
            help_to_move_tail(last, next);
        else if (put(&head, first, next))
            return next->value;
    }
}

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg;
    if (me < N - DEQUEUES)
        enqueue(&nodes[me + 1], me + 1);
    else
        assert(dequeue() <= N);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
