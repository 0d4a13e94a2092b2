// A pool's free list of block numbers; a tag next to the number tells apart two states with the same first block.
// expect[sc,tso,rc11]: verified
// ABA: the first block is the same again, but the one after it is in use.
// twin[sc,tso] `(tag_of(head) + 1)` -> `tag_of(head)`: violation=assertion line=69
// twin[rc11] `(tag_of(head) + 1)` -> `tag_of(head)`: violation=race lines=70,70
// What the last owner did with the block races with what the next one does.
// twin[rc11] `memory_order_release, memory_order_relaxed` -> `memory_order_relaxed, memory_order_relaxed`: violation=race lines=70,70
// twin[rc11] `memory_order_acquire); // for next` -> `memory_order_relaxed); // for next`: violation=race lines=70,70
// twin[rc11] `memory_order_acquire))` -> `memory_order_relaxed))`: violation=race lines=70,70
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCKS 2
#define NONE UINT32_MAX

struct pool {
    _Atomic uint64_t head; // tag and number of the first free block
    _Atomic uint32_t next[BLOCKS];
    int data[BLOCKS]; // of the owner
};

static struct pool pool;
static atomic_bool in_use[BLOCKS];

static uint64_t pack(uint32_t tag, uint32_t block)
{
    return (uint64_t)tag << 32 | block;
}

static uint32_t tag_of(uint64_t head)
{
    return (uint32_t)(head >> 32);
}

static void pool_free(struct pool *pool, uint32_t block)
{
    pool->data[block] = 0;
    uint64_t head = atomic_load_explicit(&pool->head, memory_order_relaxed);
    do
        atomic_store_explicit(&pool->next[block], (uint32_t)head, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&pool->head, &head, pack(tag_of(head), block),
                                                  memory_order_release, memory_order_relaxed));
}

static uint32_t pool_allocate(struct pool *pool)
{
    uint64_t head = atomic_load_explicit(&pool->head, memory_order_acquire); // for next and the data
    while ((uint32_t)head != NONE) {
        // The block may be taken by now, and its link may be nonsense; then the tag has changed.
        uint32_t next = atomic_load_explicit(&pool->next[(uint32_t)head], memory_order_relaxed);
        // Success needs no acquire: thanks to the tag, it reads the very write that we have acquired.
        uint64_t rest = pack((tag_of(head) + 1), next);
        if (atomic_compare_exchange_weak_explicit(&pool->head, &head, rest, memory_order_relaxed,
                                                  memory_order_acquire))
            return (uint32_t)head;
    }
    return NONE;
}

static uint32_t claim(struct pool *pool)
{
    uint32_t block = pool_allocate(pool);
    if (block != NONE) {
        bool taken = atomic_exchange_explicit(&in_use[block], true, memory_order_relaxed);
        assert(!taken);
        pool->data[block]++;
        assert(pool->data[block] == 1);
    }
    return block;
}

static void release(struct pool *pool, uint32_t block)
{
    if (block == NONE)
        return;
    atomic_store_explicit(&in_use[block], false, memory_order_relaxed);
    pool_free(pool, block);
}

static void *one(void *arg)
{
    (void)arg;
    claim(&pool);
    return NULL;
}

static void *several(void *arg)
{
    (void)arg;
    uint32_t first = claim(&pool);
    claim(&pool);
    release(&pool, first);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    atomic_init(&pool.head, NONE);
    for (uint32_t block = 0; block < BLOCKS; block++)
        pool_free(&pool, block);
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, several, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    claim(&pool);
    return 0;
}
