// Two pushes on a lock-free list. Source: Treiber 1986.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=4 blocked=0
// Both see an empty list and one retries (two ways), or one sees the other's node (two ways).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
};
static _Atomic(struct node *) top;
static struct node nodes[2];

static void push(struct node *node)
{
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &node->next, node))
        ;
}

static void *left(void *arg)
{
    push(&nodes[0]);
    return arg;
}

static void *right(void *arg)
{
    push(&nodes[1]);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct node *first = atomic_load(&top);
    assert(first && first->next && first->next->next == NULL);
    return 0;
}
