// qu: a Michael-Scott queue, QU/100-100-010 of HMC's table 4. Two threads enqueue once each, the third dequeues once.
// Source: Michael and Scott, PODC 1996. With -DOPT, nothing is seq_cst.
#include "shared.h"

#ifdef OPT
#define see acquire
#define advance release
#else
#define see seq_cst
#define advance seq_cst
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[3]; // the first is the dummy
static _Atomic(struct node *) head = &nodes[0], tail = &nodes[0];

static void enqueue(struct node *node, int value)
{
    node->value = value;
    for (;;) {
        struct node *last = load(&tail, see), *next = load(&last->next, see), *none = NULL;
        if (next != NULL) {
            replace(&tail, &last, next, advance, relaxed); // help the one that linked it
        } else if (replace(&last->next, &none, node, advance, relaxed)) {
            replace(&tail, &last, node, advance, relaxed);
            return;
        }
    }
}

// A value, or 0 if the queue is empty.
static int dequeue(void)
{
    for (;;) {
        struct node *first = load(&head, see), *last = load(&tail, see), *next = load(&first->next, see);
        if (next == NULL)
            return 0;
        if (first == last)
            replace(&tail, &last, next, advance, relaxed);
        else if (replace(&head, &first, next, advance, relaxed))
            return next->value;
    }
}

static void *first(void *arg)
{
    enqueue(&nodes[1], 1);
    return arg;
}

static void *second(void *arg)
{
    enqueue(&nodes[2], 2);
    return arg;
}

static void *taker(void *arg)
{
    int value = dequeue();
    assert(0 <= value && value <= 2);
    return arg;
}

int main(void)
{
    run_all((void *(*const[])(void *)){first, second, taker}, 3);
    return 0;
}
