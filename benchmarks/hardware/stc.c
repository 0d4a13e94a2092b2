// stc: a Treiber stack, STC/210-011-000 of HMC's table 4. One thread pushes twice and pops once, another pops once and
// pushes once; the third does nothing. Source: Treiber, IBM RJ 5118, 1986. With -DOPT, failed attempts are relaxed, and
// a push does not acquire.
#include "shared.h"

#ifdef OPT
#define see relaxed
#define push_order release
#define missed relaxed
#else
#define see acquire
#define push_order acq_rel
#define missed acquire
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[3];
static _Atomic(struct node *) top;

static void push(struct node *node, int value)
{
    node->value = value;
    struct node *seen = load(&top, see);
    do
        store(&node->next, seen, relaxed);
    while (!replace(&top, &seen, node, push_order, missed));
}

// A value, or 0 if the stack is empty.
static int pop(void)
{
    struct node *seen = load(&top, acquire);
    while (seen != NULL) {
        struct node *next = load(&seen->next, relaxed);
        if (replace(&top, &seen, next, acq_rel, acquire))
            return seen->value;
    }
    return 0;
}

static void *first(void *arg)
{
    push(&nodes[0], 1);
    push(&nodes[1], 2);
    int value = pop();
    assert(1 <= value && value <= 3); // two pushes and at most one other pop came before
    return arg;
}

static void *second(void *arg)
{
    int value = pop();
    assert(0 <= value && value <= 2);
    push(&nodes[2], 3);
    return arg;
}

static void *third(void *arg)
{
    return arg;
}

int main(void)
{
    run_all((void *(*const[])(void *)){first, second, third}, 3);
    return 0;
}
