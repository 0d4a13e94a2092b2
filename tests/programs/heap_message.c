// A node from the heap is filled in, then published through an atomic pointer.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=2 blocked=0
// The reader finds nothing, or the node.
// twin[sc,tso,rc11] `node->value = 5;` -> `node->value = 4;`: violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
static _Atomic(struct node *) box;

static void *writer(void *arg)
{
    struct node *node = malloc(sizeof *node);
    node->value = 5;
    node->next = NULL;
    atomic_store_explicit(&box, node, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    struct node *node = atomic_load_explicit(&box, memory_order_acquire);
    if (node)
        assert(node->value == 5 && !node->next);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_load(&box));
    return 0;
}
