// Treiber's lock-free stack: three threads push a value and pop one. Source: Treiber 1986.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// twin[sc,tso,rc11] `atomic_compare_exchange_weak(&top, seen, node)` -> `(atomic_store(&top, node), true)`: violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS 3

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;
static int popped[THREADS + 1]; // how often each value came out

static bool replace_top(struct node **seen, struct node *node)
{
    return atomic_compare_exchange_weak(&top, seen, node);
}

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load(&top);
    while (!replace_top(&node->next, node))
        ; // somebody came first; node->next is the new top now
}

// Nodes are never freed or used again, so a top that looks the same is the same (see buggy/treiber_stack_aba.c).
static int pop(void)
{
    struct node *node = atomic_load(&top);
    do {
        if (!node)
            return 0;
    } while (!replace_top(&node, node->next));
    return node->value;
}

static void *thread(void *arg)
{
    push((int)(intptr_t)arg);
    return (void *)(intptr_t)pop();
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, thread, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < THREADS; i++) {
        void *value;
        pthread_join(t[i], &value);
        popped[(intptr_t)value]++;
    }
    assert(atomic_load(&top) == NULL);
    for (int value = 1; value <= THREADS; value++)
        assert(popped[value] == 1);
    return 0;
}
