// Treiber's lock-free stack, with every ordering at seq_cst: for 'mazurka tune' to weaken. Source: Treiber 1986.
// expect[sc,tso,rc11]: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 3

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;
static struct node nodes[THREADS];

static void push(struct node *node)
{
    struct node *seen = atomic_load(&top);
    do {
        node->next = seen;
    } while (!atomic_compare_exchange_weak(&top, &seen, node));
}

static struct node *pop(void)
{
    struct node *seen = atomic_load(&top);
    while (seen && !atomic_compare_exchange_weak(&top, &seen, seen->next))
        ;
    return seen;
}

static void *pusher(void *arg)
{
    struct node *node = arg;
    node->value = 1;
    push(node);
    return NULL;
}

static void *popper(void *arg)
{
    (void)arg;
    struct node *node = pop();
    if (node)
        assert(node->value == 1);
    return node;
}

int main(void)
{
    pthread_t t[THREADS];
    void *popped;
    pthread_create(&t[0], NULL, pusher, &nodes[0]);
    pthread_create(&t[1], NULL, pusher, &nodes[1]);
    pthread_create(&t[2], NULL, popper, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], &popped);
    int left = 0;
    for (struct node *node = atomic_load(&top); node; node = node->next)
        left++;
    assert(left == (popped ? 1 : 2));
    return 0;
}
