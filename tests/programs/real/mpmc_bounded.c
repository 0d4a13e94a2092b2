// A bounded queue for many producers and consumers: each cell has a sequence number that says whose turn it is.
// expect[sc,tso,rc11]: verified
// twin[rc11] `at + 1, memory_order_release` -> `at + 1, memory_order_relaxed`: violation=race lines=45,65
// twin[rc11] `at + CELLS, memory_order_release` -> `at + CELLS, memory_order_relaxed`: violation=race lines=45,65
// twin[rc11] `memory_order_acquire); // put` -> `memory_order_relaxed); // put`: violation=race lines=45,65
// twin[rc11] `memory_order_acquire); // get` -> `memory_order_relaxed); // get`: violation=race lines=45,65
// Two producers get the same cell.
// twin[rc11] `claim(&queue->put, &at)` -> `(atomic_store(&queue->put, at + 1), true)`: violation=race lines=45,45
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CELLS 2u

struct cell {
    atomic_uint turn;
    int item;
};

struct queue {
    struct cell cells[CELLS];
    atomic_uint put, get; // positions; they only decide who gets which cell
};

static struct queue queue;
static atomic_uint times_seen[4];

static bool claim(atomic_uint *position, unsigned *at)
{
    return atomic_compare_exchange_strong_explicit(position, at, *at + 1, memory_order_relaxed,
                                                   memory_order_relaxed);
}

static bool queue_put(struct queue *queue, int item)
{
    unsigned at = atomic_load_explicit(&queue->put, memory_order_relaxed);
    for (;;) {
        struct cell *cell = &queue->cells[at % CELLS];
        unsigned turn = atomic_load_explicit(&cell->turn, memory_order_acquire); // put: the item was taken
        if (turn == at) {
            if (claim(&queue->put, &at)) {
                cell->item = item;
                atomic_store_explicit(&cell->turn, at + 1, memory_order_release);
                return true;
            }
        } else if ((int)(turn - at) < 0) {
            return false; // full
        } else {
            at = atomic_load_explicit(&queue->put, memory_order_relaxed);
        }
    }
}

static bool queue_get(struct queue *queue, int *item)
{
    unsigned at = atomic_load_explicit(&queue->get, memory_order_relaxed);
    for (;;) {
        struct cell *cell = &queue->cells[at % CELLS];
        unsigned turn = atomic_load_explicit(&cell->turn, memory_order_acquire); // get: the item is there
        if (turn == at + 1) {
            if (claim(&queue->get, &at)) {
                *item = cell->item;
                atomic_store_explicit(&cell->turn, at + CELLS, memory_order_release);
                return true;
            }
        } else if ((int)(turn - (at + 1)) < 0) {
            return false; // empty
        } else {
            at = atomic_load_explicit(&queue->get, memory_order_relaxed);
        }
    }
}

static void *producer(void *arg)
{
    int item = (int)(intptr_t)arg;
    if (!queue_put(&queue, item))
        atomic_fetch_add_explicit(&times_seen[item], 1, memory_order_relaxed);
    return NULL;
}

static void *consumer(void *arg)
{
    (void)arg;
    int item;
    for (int i = 0; i < 2; i++)
        if (queue_get(&queue, &item))
            atomic_fetch_add_explicit(&times_seen[item], 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (unsigned i = 0; i < CELLS; i++)
        atomic_init(&queue.cells[i].turn, i);
    queue_put(&queue, 0); // one of the cells is taken, so the producers need the consumer
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i < 2 ? producer : consumer, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int item; queue_get(&queue, &item);)
        atomic_fetch_add_explicit(&times_seen[item], 1, memory_order_relaxed);
    for (int i = 0; i < 3; i++)
        assert(atomic_load(&times_seen[i]) == 1);
    return 0;
}
