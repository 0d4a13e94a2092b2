// treiber-stack(N): N threads push a node and pop one each. Source: Treiber, IBM RJ 5118, 1986.
// An attempt fails only if another one succeeded in between, so that the loops end by themselves.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

struct node {
    int popped;
    struct node *next;
};

static struct node nodes[N];
static _Atomic(struct node *) top;

static void push(struct node *node)
{
    struct node *seen = atomic_load_explicit(&top, memory_order_relaxed);
    do
        node->next = seen;
    while (!atomic_compare_exchange_strong_explicit(&top, &seen, node, memory_order_release, memory_order_relaxed));
}

static struct node *pop(void)
{
    struct node *seen = atomic_load_explicit(&top, memory_order_acquire);
    while (seen != NULL
           && !atomic_compare_exchange_strong_explicit(&top, &seen, seen->next, memory_order_acquire,
                                                       memory_order_acquire))
        ;
    return seen;
}

static void *worker(void *arg)
{
    push(&nodes[(intptr_t)arg]);
    struct node *node = pop();
    assert(node != NULL && node->popped == 0); // as many pushes as pops came before
    node->popped = 1;
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(atomic_load(&top) == NULL);
    return 0;
}
