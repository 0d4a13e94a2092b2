// A heap per thread: blocks that other threads free go to a list of their own, which the owner takes over when it runs out.
// expect[sc,tso,rc11]: verified
// A block that is freed by another thread is handed back to its owner.
// twin[rc11] `&next, block, memory_order_release` -> `&next, block, memory_order_relaxed`: violation=race
// twin[rc11] `NULL, memory_order_acquire` -> `NULL, memory_order_relaxed`: violation=race
// And to the other thread before that.
// twin[rc11] `mailbox, block, memory_order_release` -> `mailbox, block, memory_order_relaxed`: violation=race lines=82,96
// twin[rc11] `mailbox, memory_order_acquire` -> `mailbox, memory_order_relaxed`: violation=race lines=82,96
// Freed into the list that only the owner may touch.
// twin[rc11] `free_remote(&heap, block); // of another thread` -> `free_local(&heap, block);`: violation=race
// Taking the list by a load and a store forgets what is freed in between.
// twin[sc,tso,rc11] `take_remote(heap)` -> `({ struct block *all = heap->remote; heap->remote = NULL; all; })`: violation=assertion line=106
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct block {
    struct block *next; // while it is free
    int data;
};

struct heap {
    struct block *local;           // belongs to the owner
    _Atomic(struct block *) remote; // freed by others
};

static struct heap heap;
static struct block blocks[2];
static _Atomic(struct block *) mailboxes[2];

static void free_local(struct heap *heap, struct block *block)
{
    block->next = heap->local;
    heap->local = block;
}

static void free_remote(struct heap *heap, struct block *block)
{
    struct block *next = atomic_load_explicit(&heap->remote, memory_order_relaxed);
    do
        block->next = next;
    while (!atomic_compare_exchange_weak_explicit(&heap->remote, &next, block, memory_order_release,
                                                  memory_order_relaxed));
}

static struct block *take_remote(struct heap *heap)
{
    return atomic_exchange_explicit(&heap->remote, NULL, memory_order_acquire);
}

static struct block *allocate(struct heap *heap)
{
    if (!heap->local)
        heap->local = take_remote(heap);
    struct block *block = heap->local;
    if (block)
        heap->local = block->next;
    return block;
}

static int count(struct block *block)
{
    int blocks = 0;
    for (; block; block = block->next)
        blocks++;
    return blocks;
}

static void send(struct block *block, int to)
{
    _Atomic(struct block *) *mailbox = &mailboxes[to];
    atomic_store_explicit(mailbox, block, memory_order_release);
}

static void *user(void *arg)
{
    _Atomic(struct block *) *mailbox = arg;
    struct block *block;
    while (!(block = atomic_load_explicit(mailbox, memory_order_acquire)))
        ;
    assert(block->data == 5);
    free_remote(&heap, block); // of another thread
    return NULL;
}

int main(void)
{
    pthread_t users[2];
    for (int i = 0; i < 2; i++)
        free_local(&heap, &blocks[i]);
    for (int i = 0; i < 2; i++)
        pthread_create(&users[i], NULL, user, &mailboxes[i]);
    for (int i = 0; i < 2; i++) {
        struct block *block = allocate(&heap);
        block->data = 5;
        send(block, i);
    }
    struct block *block = allocate(&heap);
    if (block) {
        block->data = 6;
        free_local(&heap, block);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(users[i], NULL);
    assert(count(heap.local) + count(take_remote(&heap)) == 2);
    return 0;
}
