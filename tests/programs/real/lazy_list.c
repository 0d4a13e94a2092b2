// A sorted set as a lazy list: changes lock two neighbours and check them, and lookups take no lock.
// expect[sc,tso,rc11]: verified
// twin[rc11] `node, memory_order_release` -> `node, memory_order_relaxed`: violation=race
// twin[rc11] `&node->next, memory_order_acquire` -> `&node->next, memory_order_relaxed`: violation=race
// Between the search and the locks, the neighbours may have been removed or separated.
// twin[sc,tso,rc11] `!atomic_load_explicit(&before->removed, memory_order_relaxed) &&` -> ``: violation=assertion line=133
// twin[sc,tso,rc11] `&& next_of(before) == at` -> ``: violation=assertion line=133
// Unlinked, but not marked: an insertion behind it is lost.
// twin[sc,tso,rc11] `atomic_store_explicit(&at->removed, true, memory_order_relaxed);` -> ``: violation=assertion line=133
// The neighbour that is read again may be new, and belong before the key.
// twin[sc,tso,rc11] `*found = at; // of the search` -> `*found = next_of(before);`: violation=assertion line=133
// A node that stays locked.
// twin[sc,rc11] `pthread_mutex_unlock(&before->lock);` -> ``: violation=deadlock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int key;
    atomic_bool removed;
    _Atomic(struct node *) next;
    pthread_mutex_t lock;
};

static struct node *head;

static struct node *make_node(int key, struct node *next)
{
    struct node *node = malloc(sizeof *node);
    node->key = key;
    atomic_init(&node->removed, false);
    atomic_init(&node->next, next);
    pthread_mutex_init(&node->lock, NULL);
    return node;
}

static struct node *next_of(struct node *node)
{
    return atomic_load_explicit(&node->next, memory_order_acquire);
}

// The last node with a smaller key, and the one after it.
static struct node *search(int key, struct node **found)
{
    struct node *before = head, *at = next_of(before);
    for (; at && at->key < key; at = next_of(at))
        before = at;
    *found = at; // of the search
    return before;
}

static bool still_neighbours(struct node *before, struct node *at)
{
    return !atomic_load_explicit(&before->removed, memory_order_relaxed) && next_of(before) == at;
}

static void unlock(struct node *before, struct node *at)
{
    if (at)
        pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
}

// Two neighbours, locked; the second may be missing.
static struct node *lock_neighbours(int key, struct node **found)
{
    for (;;) {
        struct node *at, *before = search(key, &at);
        pthread_mutex_lock(&before->lock);
        if (at)
            pthread_mutex_lock(&at->lock);
        if (still_neighbours(before, at)) {
            *found = at;
            return before;
        }
        unlock(before, at);
    }
}

static void add(int key)
{
    struct node *at, *before = lock_neighbours(key, &at);
    if (!at || at->key != key) {
        struct node *node = make_node(key, at);
        atomic_store_explicit(&before->next, node, memory_order_release);
    }
    unlock(before, at);
}

static void discard(int key)
{
    struct node *at, *before = lock_neighbours(key, &at);
    if (at && at->key == key) {
        atomic_store_explicit(&at->removed, true, memory_order_relaxed);
        atomic_store_explicit(&before->next, next_of(at), memory_order_release);
    }
    unlock(before, at); // lookups may be reading the node, so it is not freed here
}

static bool contains(int key)
{
    struct node *at;
    search(key, &at);
    return at && at->key == key && !atomic_load_explicit(&at->removed, memory_order_relaxed);
}

static void *adder(void *arg)
{
    add((int)(intptr_t)arg);
    return NULL;
}

static void *remover(void *arg)
{
    (void)arg;
    discard(1);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    head = make_node(0, make_node(1, NULL));
    pthread_create(&threads[0], NULL, adder, (void *)2);
    pthread_create(&threads[1], NULL, adder, (void *)3);
    pthread_create(&threads[2], NULL, remover, NULL);
    contains(3);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(contains(2) && contains(3) && !contains(1));
    return 0;
}
