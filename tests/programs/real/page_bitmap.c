// A page allocator with a bit per page: a compare-exchange takes the first free page or a pair of buddies, an and gives back.
// expect[sc,tso,rc11]: verified
// Pages are handed from one user to the next.
// twin[rc11] `*map | mask, memory_order_acquire` -> `*map | mask, memory_order_relaxed`: violation=race lines=72,72
// twin[rc11] `~mask, memory_order_release` -> `~mask, memory_order_relaxed`: violation=race lines=72,72
// A map that is stored, not exchanged, forgets what others did.
// twin[sc,tso] `take(bitmap, &map, mask)` -> `(atomic_store(bitmap, map | mask), 1)`: violation=assertion
// Giving back by a load and a store.
// twin[sc,tso] `atomic_fetch_and_explicit(bitmap, ~mask, memory_order_release)` -> `*bitmap = *bitmap & ~mask`: violation=assertion line=86
// A pair that begins at any free page.
// twin[sc,tso] `page += count` -> `page++`: violation=assertion line=70
// Only the first page of a pair is looked at.
// twin[sc,tso] `if (!(map & mask))` -> `if (!(map & (1u << page)))`: violation=assertion line=86
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define PAGES 6
#define RESERVED (1u << 3)
#define NONE (-1)

static atomic_uint bitmap = RESERVED;
static int owner[PAGES]; // by the thread that has the page

static unsigned mask_of(int page, int count)
{
    return ((1u << count) - 1) << page;
}

static bool take(atomic_uint *bitmap, unsigned *map, unsigned mask)
{
    return atomic_compare_exchange_weak_explicit(bitmap, map, *map | mask, memory_order_acquire, memory_order_relaxed);
}

static int find(unsigned map, int count)
{
    for (int page = 0; page + count <= PAGES; page += count) {
        unsigned mask = mask_of(page, count);
        if (!(map & mask))
            return page;
    }
    return NONE;
}

static int allocate(atomic_uint *bitmap, int count)
{
    unsigned map = atomic_load_explicit(bitmap, memory_order_relaxed);
    for (;;) {
        int page = find(map, count);
        if (page == NONE)
            return NONE;
        unsigned mask = mask_of(page, count);
        if (take(bitmap, &map, mask))
            return page;
    }
}

static void release(atomic_uint *bitmap, int page, int count)
{
    unsigned mask = mask_of(page, count);
    atomic_fetch_and_explicit(bitmap, ~mask, memory_order_release);
}

static void *thread(void *arg)
{
    int self = (int)(intptr_t)arg, count = self;
    int page = allocate(&bitmap, count);
    assert(page != NONE && page % count == 0);
    for (int i = page; i < page + count; i++)
        owner[i] = self;
    for (int i = page; i < page + count; i++)
        assert(owner[i] == self);
    release(&bitmap, page, count);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&bitmap) == RESERVED);
    return 0;
}
