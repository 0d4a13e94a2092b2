// A stack whose head has an index and a tag, which are compared and exchanged together. Source: IBM System/370.
// expect[sc,rc11]: verified
// twin[rc11] release->relaxed: violation=race line=47
// twin[rc11] `+ (1ull << 32)` -> ``: violation=assertion line=57
// Without tags, a node that was taken and put back looks as if it had never gone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define relaxed memory_order_relaxed
#define next_tag(head) (((head) & ~0xffffffffull) + (1ull << 32))

static union {
    _Atomic uint64_t both;
    struct {
        _Atomic uint32_t index, tag;
    };
} head = {.both = 1};
static struct {
    _Atomic uint32_t next;
    int value;
} node[3] = {{0, 0}, {2, 10}, {0, 20}};
static atomic_int owners[3];

static void push(uint32_t index)
{
    uint64_t old = atomic_load_explicit(&head.both, relaxed);
    do
        atomic_store_explicit(&node[index].next, (uint32_t)old, relaxed);
    while (!atomic_compare_exchange_strong_explicit(&head.both, &old, next_tag(old) | index,
                                                    memory_order_release, relaxed));
}

static uint32_t pop(void)
{
    uint64_t old = atomic_load_explicit(&head.both, memory_order_acquire), new;
    do {
        if (!(uint32_t)old)
            return 0;
        uint32_t next = atomic_load_explicit(&node[(uint32_t)old].next, relaxed);
        new = next_tag(old) | next;
    } while (!atomic_compare_exchange_strong_explicit(&head.both, &old, new, memory_order_acquire,
                                                      memory_order_acquire));
    uint32_t index = (uint32_t)old;
    node[index].value++;
    return index;
}

static void *taker(void *arg)
{
    for (int i = 0; i < 2; i++) {
        if (!atomic_load_explicit(&head.index, relaxed))
            return arg; // nothing to take: one half says so
        uint32_t index = pop();
        assert(!index || !atomic_exchange_explicit(&owners[index], 1, relaxed));
    }
    return arg;
}

static void *mover(void *arg)
{
    uint32_t first = pop(), second = pop();
    if (second)
        atomic_store_explicit(&owners[second], 1, relaxed);
    if (first)
        push(first);
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
