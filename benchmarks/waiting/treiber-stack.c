// treiber-stack(N): N threads push a node each; with POPS, the last ones of them pop instead. Source: Treiber, IBM
// RJ 5118, 1986.
#include "prelude.h"

#ifndef POPS
#define POPS 0
#endif

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    for (;;) {
        struct node *seen = load(&top, acquire);
        node->next = seen;
        if (replace(&top, &seen, node, release, relaxed))
            return;
    }
}

static int pop(void)
{
    for (;;) {
        struct node *seen = load(&top, acquire);
        if (seen == NULL)
            return 0;
        struct node *next = seen->next;
        if (replace(&top, &seen, next, acquire, relaxed))
            return seen->value;
    }
}

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg;
    if (me < N - POPS)
        push(me + 1);
    else
        assert(pop() <= N);
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
