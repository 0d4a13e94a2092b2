// Snapshots of two registers without locks: both are read again until nothing has changed in between.
// expect[sc,tso,rc11]: verified
// Two scanners could see two writers in different orders.
// twin[rc11] `&registers[i], memory_order_seq_cst` -> `&registers[i], memory_order_acquire`: violation=assertion line=74
// twin[rc11] `1, memory_order_seq_cst` -> `1, memory_order_release`: violation=assertion line=74
// One look is no snapshot.
// twin[sc,tso,rc11] `while (!same(&again, snapshot))` -> `while (0)`: violation=assertion line=74
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define REGISTERS 2

struct snapshot {
    int values[REGISTERS];
};

static atomic_int registers[REGISTERS];
static struct snapshot snapshots[2];

static struct snapshot collect(void)
{
    struct snapshot seen;
    for (int i = 0; i < REGISTERS; i++)
        seen.values[i] = atomic_load_explicit(&registers[i], memory_order_seq_cst);
    return seen;
}

static bool same(const struct snapshot *a, const struct snapshot *b)
{
    return a->values[0] == b->values[0] && a->values[1] == b->values[1];
}

static void scan(struct snapshot *snapshot)
{
    struct snapshot again = collect();
    do {
        *snapshot = again;
        again = collect();
    } while (!same(&again, snapshot));
}

static bool at_most(const struct snapshot *a, const struct snapshot *b)
{
    return a->values[0] <= b->values[0] && a->values[1] <= b->values[1];
}

static void *writer(void *arg)
{
    atomic_int *mine = arg;
    atomic_store_explicit(mine, 1, memory_order_seq_cst);
    return NULL;
}

static void *scanner(void *arg)
{
    scan(arg);
    return NULL;
}

int main(void)
{
    pthread_t writers[2], scanners[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&writers[i], NULL, writer, &registers[i]);
        pthread_create(&scanners[i], NULL, scanner, &snapshots[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(writers[i], NULL);
        pthread_join(scanners[i], NULL);
    }
    assert(at_most(&snapshots[0], &snapshots[1]) || at_most(&snapshots[1], &snapshots[0]));
    return 0;
}
