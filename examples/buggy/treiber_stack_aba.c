// A lock-free stack that uses its nodes again: the ABA problem. Source: IBM System/370 manual, on compare-and-swap.
// The counterexample: while one thread is between reading top->next and its compare-exchange, the other pops
// both nodes and puts the first one back. The top looks untouched, and a node in use becomes the new top.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=assertion line=41
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    atomic_int in_use;
    _Atomic(struct node *) next;
};

static struct node a, b;
static _Atomic(struct node *) top;

static void push(struct node *node)
{
    struct node *seen = atomic_load(&top);
    do {
        atomic_store(&node->next, seen);
    } while (!atomic_compare_exchange_weak(&top, &seen, node));
}

static struct node *pop(void)
{
    struct node *seen = atomic_load(&top), *next;
    do {
        if (!seen)
            return NULL;
        next = atomic_load(&seen->next);
    } while (!atomic_compare_exchange_weak(&top, &seen, next)); // the same top, but is it the same stack?
    return seen;
}

static struct node *get(void)
{
    struct node *node = pop();
    if (node)
        assert(atomic_exchange(&node->in_use, 1) == 0);
    return node;
}

static void *short_thread(void *arg)
{
    (void)arg;
    get();
    get();
    return NULL;
}

static void *busy_thread(void *arg)
{
    (void)arg;
    struct node *first = get();
    get(); // stays in use
    if (first) {
        atomic_store(&first->in_use, 0);
        push(first);
    }
    return NULL;
}

int main(void)
{
    pthread_t s, l;
    push(&b);
    push(&a);
    pthread_create(&s, NULL, short_thread, NULL);
    pthread_create(&l, NULL, busy_thread, NULL);
    pthread_join(s, NULL);
    pthread_join(l, NULL);
    return 0;
}
