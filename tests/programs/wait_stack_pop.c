// A pop that waits until the stack is not empty.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// The push happens only if the stack was not empty already.
// twin[sc,tso,rc11] `atomic_store_explicit(&top, &node, memory_order_release);` -> `if (atomic_load(&top)) atomic_store_explicit(&top, &node, memory_order_release);`: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static struct node {
    int value;
    struct node *next;
} node;
static _Atomic(struct node *) top;

static void *push(void *arg)
{
    node.value = 5;
    atomic_store_explicit(&top, &node, memory_order_release);
    return arg;
}

static void *pop(void *arg)
{
    struct node *first;
    do
        first = atomic_load_explicit(&top, memory_order_acquire);
    while (!first || !atomic_compare_exchange_strong_explicit(&top, &first, first->next, memory_order_acquire, memory_order_relaxed));
    assert(first->value == 5);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, push, NULL);
    pthread_create(&b, NULL, pop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
