// mpmc-queue(N): N - 1 threads put an item each into a bounded queue of two cells, the last one gets one; who finds
// the queue full or empty waits. Source: Vyukov's bounded multi-producer multi-consumer queue.
#include "prelude.h"

enum { CELLS = 2 };

struct cell {
    atomic_int turn;
    int item;
};

static struct cell cells[CELLS];
static atomic_int put_position, get_position;

// The cell at the next position, claimed.
static struct cell *claim(atomic_int *position, int lead, int *claimed)
{
    for (;;) {
        int seen = load(position, relaxed);
        struct cell *cell = &cells[seen % CELLS];
        if (load(&cell->turn, acquire) != seen + lead)
            continue;
        *claimed = seen;
        if (replace(position, &seen, seen + 1, relaxed, relaxed))
            return cell;
    }
}

static void *producer(void *arg)
{
    int position;
    struct cell *cell = claim(&put_position, 0, &position);
    cell->item = (int)(intptr_t)arg;
    store(&cell->turn, position + 1, release);
    return NULL;
}

static void *consumer(void *arg)
{
    int position;
    struct cell *cell = claim(&get_position, 1, &position);
    assert(1 <= cell->item && cell->item < N);
    store(&cell->turn, position + CELLS, release);
    return arg;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < CELLS; i++)
        atomic_store(&cells[i].turn, i);
    for (intptr_t i = 1; i < N; i++)
        pthread_create(&t[i], NULL, producer, (void *)i);
    pthread_create(&t[0], NULL, consumer, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
