// A bump allocator for many threads: an addition reserves room in the current chunk, and who runs out installs a new one.
// expect[sc,tso,rc11]: verified
// A chunk is handed over by its address.
// twin[rc11] `fresh, memory_order_acq_rel` -> `fresh, memory_order_acquire`: violation=race
// twin[rc11] `&current, memory_order_acquire` -> `&current, memory_order_relaxed`: violation=race
// Who loses learns of a chunk from the exchange that fails.
// twin[rc11] `memory_order_acq_rel, memory_order_acquire` -> `memory_order_acq_rel, memory_order_relaxed`: violation=race
// Room that is reserved in two steps is given out twice.
// twin[sc,tso] `atomic_fetch_add_explicit(&chunk->used, 1, memory_order_relaxed)` -> `chunk->used; chunk->used = slot + 1`: violation=assertion line=64
// One slot too many in each chunk.
// twin[sc,rc11] `if (slot < SLOTS)` -> `if (slot <= SLOTS)`: violation=unallocated line=63
// The loser of two new chunks frees the wrong one.
// twin[sc,rc11] `free(fresh);` -> `free(chunk);`: violation=freed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define SLOTS 2

struct chunk {
    atomic_int used;
    struct chunk *before; // all chunks, to be freed together
    int slots[SLOTS];
};

static _Atomic(struct chunk *) current;

static struct chunk *make_chunk(struct chunk *before)
{
    struct chunk *chunk = malloc(sizeof *chunk);
    atomic_init(&chunk->used, 0);
    chunk->before = before;
    return chunk;
}

// The current chunk after the given one was full.
static struct chunk *next_chunk(struct chunk *full)
{
    struct chunk *chunk = full, *fresh = make_chunk(full);
    if (atomic_compare_exchange_strong_explicit(&current, &chunk, fresh, memory_order_acq_rel, memory_order_acquire))
        return fresh;
    free(fresh);
    return chunk; // of another thread
}

static int *allocate(void)
{
    struct chunk *chunk = atomic_load_explicit(&current, memory_order_acquire);
    for (;;) {
        int slot = atomic_fetch_add_explicit(&chunk->used, 1, memory_order_relaxed);
        if (slot < SLOTS)
            return &chunk->slots[slot];
        chunk = next_chunk(chunk);
    }
}

static void *thread(void *arg)
{
    int self = (int)(intptr_t)arg;
    int *mine = allocate();
    *mine = self;
    assert(*mine == self);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    atomic_init(&current, make_chunk(NULL));
    *allocate() = 0;
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (struct chunk *chunk = atomic_load(&current), *before; chunk; chunk = before) {
        before = chunk->before;
        free(chunk);
    }
    return 0;
}
