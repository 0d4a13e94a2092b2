// A stack whose head has a pointer and a tag: a compare-exchange of 16 bytes changes both. Source: IBM System/370.
// expect[sc,rc11]: verified
// twin[rc11] release->relaxed: violation=race line=49
// twin[rc11] `old.tag + 1` -> `old.tag`: violation=assertion line=59
// Without tags, a node that was taken and put back looks as if it had never gone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define relaxed memory_order_relaxed
#define after(old, node) ((struct top){(node), old.tag + 1})

struct node {
    struct node *_Atomic next;
    int value;
    atomic_int owned;
};
struct top {
    struct node *first;
    uint64_t tag;
};
static struct node second = {NULL, 20}, first = {&second, 10};
static union {
    struct node *_Atomic first; // one half
    _Atomic struct top both;
} head = {.first = &first};

static void push(struct node *node)
{
    struct top old = atomic_load_explicit(&head.both, relaxed);
    do
        atomic_store_explicit(&node->next, old.first, relaxed);
    while (!atomic_compare_exchange_strong_explicit(&head.both, &old, after(old, node), memory_order_release,
                                                    relaxed));
}

static struct node *pop(void)
{
    struct top old = atomic_load_explicit(&head.both, memory_order_acquire), new;
    do {
        if (!old.first)
            return NULL;
        new = after(old, atomic_load_explicit(&old.first->next, relaxed));
    } while (!atomic_compare_exchange_strong_explicit(&head.both, &old, new, memory_order_acquire,
                                                      memory_order_acquire));
    struct node *node = old.first;
    node->value++;
    return node;
}

static void *taker(void *arg)
{
    for (int i = 0; i < 2; i++) {
        if (!atomic_load_explicit(&head.first, relaxed))
            return arg; // nothing to take: one half says so
        struct node *node = pop();
        assert(!node || !atomic_exchange_explicit(&node->owned, 1, relaxed));
    }
    return arg;
}

static void *mover(void *arg)
{
    struct node *one = pop(), *two = pop();
    if (two)
        atomic_store_explicit(&two->owned, 1, relaxed);
    if (one)
        push(one);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, taker, NULL);
    pthread_create(&b, NULL, mover, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
