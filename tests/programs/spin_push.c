// Three threads push nodes of a pool; each attempt stores `next` anew, so nothing is left of one that failed.
// expect[sc,tso,ra,rc11,rc11-cpp11]: verified complete=6
// The pushes come in some order.
// twin[rc11] memory_order_release->memory_order_relaxed: violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
};
static struct node pool[3];
static _Atomic(struct node *) top;

static void *push(void *arg)
{
    struct node *node = arg;
    struct node *seen;
    do {
        seen = atomic_load_explicit(&top, memory_order_acquire);
        node->next = seen;
    } while (!atomic_compare_exchange_strong_explicit(&top, &seen, node, memory_order_release,
                                                      memory_order_relaxed));
    if (seen)
        assert(seen->next != node);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, push, &pool[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    int length = 0;
    for (struct node *node = atomic_load(&top); node; node = node->next)
        length++;
    assert(length == 3);
    return 0;
}
