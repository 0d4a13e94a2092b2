// A push sets the next node in each round; nobody sees that before the compare-exchange succeeds. Source: Treiber 1986.
// expect[sc,tso,pso,ra,rc11,rc11-cpp11]: verified complete=6
// Three pushes in any order: a round that fails changes nothing that lasts.
// twin[sc,rc11] `while (!atomic_compare_exchange_strong(&top, &seen, node))` -> `while (atomic_exchange(&top, node), 0)`: violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#define THREADS 3

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) top;

static void push(int value)
{
    struct node *node = malloc(sizeof *node), *seen;
    node->value = value;
    do {
        seen = atomic_load(&top);
        node->next = seen;
    } while (!atomic_compare_exchange_strong(&top, &seen, node));
}

static void *pusher(void *arg)
{
    push(1);
    return arg;
}

int main(void)
{
    pthread_t t[THREADS];
    int count = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, pusher, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (struct node *node = top; node; node = node->next)
        count += node->value;
    assert(count == THREADS);
    return 0;
}
