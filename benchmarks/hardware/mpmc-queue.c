// mpmc-queue: two threads enqueue an item and dequeue one each, of HMC's table 5. With -DBOUND=L, who finds the queue
// full or empty looks up to L times and gives up. Source: Norris and Demsky, OOPSLA 2013; the queue is Vyukov's.
#include "shared.h"

enum { CELLS = 2 };

struct cell {
    atomic_int turn;
    int item;
};

static struct cell cells[CELLS];
static atomic_int put_position, get_position;

#ifdef BOUND
#define LOOKS look < BOUND
#else
#define LOOKS 1
#endif

// The cell at the next position, claimed; or NULL.
static struct cell *claim(atomic_int *position, int lead, int *claimed)
{
    for (int look = 0; LOOKS;) {
        int seen = load(position, relaxed);
        struct cell *cell = &cells[seen % CELLS];
        if (load(&cell->turn, acquire) != seen + lead) {
#ifdef BOUND
            look++;
#endif
            continue;
        }
        *claimed = seen;
        if (replace(position, &seen, seen + 1, relaxed, relaxed))
            return cell;
#ifdef BOUND
        look++;
#endif
    }
    return NULL;
}

static void enqueue_and_dequeue(int item)
{
    int position;
    struct cell *cell = claim(&put_position, 0, &position);
    if (cell == NULL)
        return;
    cell->item = item;
    store(&cell->turn, position + 1, release);
    cell = claim(&get_position, 1, &position);
    if (cell == NULL)
        return;
    assert(cell->item == 1 || cell->item == 2);
    store(&cell->turn, position + CELLS, release);
}

static void *first(void *arg)
{
    enqueue_and_dequeue(1);
    return arg;
}

static void *second(void *arg)
{
    enqueue_and_dequeue(2);
    return arg;
}

int main(void)
{
    for (int i = 0; i < CELLS; i++)
        atomic_store(&cells[i].turn, i);
    run_all((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
