// mpmc-queue(N): N threads put an item each into a bounded queue of two cells, and each then tries to get one.
// Source: Vyukov's bounded multi-producer multi-consumer queue. An attempt fails only if another one succeeded in
// between, or the queue is full or empty, so that the loops end by themselves.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 1
#endif
#define CELLS 2

struct cell {
    atomic_int turn;
    int item;
};

static struct cell cells[CELLS];
static atomic_int put_position, get_position;

// The cell whose turn it is for the position of its user, claimed; NULL if another lap has to come first.
static struct cell *claim(atomic_int *position, int lead, int *claimed)
{
    int seen = atomic_load_explicit(position, memory_order_relaxed);
    for (;;) {
        struct cell *cell = &cells[seen % CELLS];
        int ahead = atomic_load_explicit(&cell->turn, memory_order_acquire) - (seen + lead);
        if (ahead < 0)
            return NULL;
        *claimed = seen;
        if (ahead > 0)
            seen = atomic_load_explicit(position, memory_order_relaxed);
        else if (atomic_compare_exchange_strong_explicit(position, &seen, seen + 1, memory_order_relaxed,
                                                         memory_order_relaxed))
            return cell;
    }
}

static int put(int item)
{
    int position;
    struct cell *cell = claim(&put_position, 0, &position);
    if (cell == NULL)
        return 0;
    cell->item = item;
    atomic_store_explicit(&cell->turn, position + 1, memory_order_release);
    return 1;
}

static int get(int *item)
{
    int position;
    struct cell *cell = claim(&get_position, 1, &position);
    if (cell == NULL)
        return 0;
    *item = cell->item;
    atomic_store_explicit(&cell->turn, position + CELLS, memory_order_release);
    return 1;
}

static void *worker(void *arg)
{
    int item = 0;
    put((int)(intptr_t)arg);
    if (get(&item))
        assert(1 <= item && item <= N);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < CELLS; i++)
        atomic_store(&cells[i].turn, i);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
