// Three threads use a stack: a compare-exchange that a thread has not come back to is asked what it would do.
// mazurka: --symmetry off
// expect[rc11,imm,armv8]: verified complete=2200 blocked=0
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
};

static struct node nodes[3];
static _Atomic(struct node *) top;

static void push(struct node *node)
{
    struct node *seen = atomic_load_explicit(&top, memory_order_relaxed);
    do
        node->next = seen;
    while (!atomic_compare_exchange_strong_explicit(&top, &seen, node, memory_order_release, memory_order_relaxed));
}

static void pop(void)
{
    struct node *seen = atomic_load_explicit(&top, memory_order_acquire);
    while (seen != NULL
           && !atomic_compare_exchange_strong_explicit(&top, &seen, seen->next, memory_order_acquire,
                                                       memory_order_acquire))
        ;
}

static void *worker(void *arg)
{
    push(arg);
    if (arg != &nodes[0])
        pop();
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, &nodes[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
