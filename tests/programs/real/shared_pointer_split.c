// A pointer with a count in its upper bits: a reader takes the object and a reference to it in one addition.
// expect[sc,tso,rc11]: verified
// twin[rc11] `change, memory_order_acq_rel` -> `change, memory_order_acquire`: violation=freed line=43
// twin[rc11] `change, memory_order_acq_rel` -> `change, memory_order_release`: violation=freed line=43
// twin[rc11] `word - REFERENCE, memory_order_release` -> `word - REFERENCE, memory_order_relaxed`: violation=freed line=43
// twin[rc11] `REFERENCE, memory_order_acquire` -> `REFERENCE, memory_order_relaxed`: violation=race lines=30,71
// References that readers took are forgotten when the pointer is replaced.
// twin[sc,tso,rc11] `(int)(word >> 48)` -> `0`: violation=freed line=43
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define REFERENCE (UINT64_C(1) << 48)
#define ADDRESS (REFERENCE - 1)

struct snapshot {
    atomic_int balance; // references taken through the pointer, less those given back here
    int rows, columns;
};

static _Atomic uint64_t current; // address in the low 48 bits, references since the last change above

static struct snapshot *snapshot_new(int rows)
{
    struct snapshot *made = malloc(sizeof *made);
    atomic_init(&made->balance, 0);
    made->rows = rows;
    made->columns = 2 * rows;
    return made;
}

static struct snapshot *snapshot_at(uint64_t word)
{
    return (struct snapshot *)(uintptr_t)(word & ADDRESS);
}

static void settle(struct snapshot *snapshot, int change)
{
    // Release: our use is over. Acquire: so is everybody else's, if we are the last.
    if (atomic_fetch_add_explicit(&snapshot->balance, change, memory_order_acq_rel) == -change)
        free(snapshot);
}

static struct snapshot *snapshot_acquire(void)
{
    return snapshot_at(atomic_fetch_add_explicit(&current, REFERENCE, memory_order_acquire));
}

static void snapshot_release(struct snapshot *snapshot)
{
    uint64_t word = atomic_load_explicit(&current, memory_order_relaxed);
    while (snapshot_at(word) == snapshot) // nobody has replaced it: take our reference back where it came from
        if (atomic_compare_exchange_weak_explicit(&current, &word, word - REFERENCE, memory_order_release,
                                                  memory_order_relaxed))
            return;
    settle(snapshot, -1);
}

static void snapshot_replace(struct snapshot *snapshot)
{
    uint64_t word = atomic_exchange_explicit(&current, (uintptr_t)snapshot, memory_order_acq_rel);
    settle(snapshot_at(word), (int)(word >> 48));
}

static void *reader(void *arg)
{
    (void)arg;
    struct snapshot *snapshot = snapshot_acquire();
    assert(snapshot->columns == 2 * snapshot->rows);
    snapshot_release(snapshot);
    return NULL;
}

static void *writer(void *arg)
{
    (void)arg;
    snapshot_replace(snapshot_new(20));
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    atomic_init(&current, (uintptr_t)snapshot_new(10));
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i < 2 ? reader : writer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&current) >> 48 == 0);
    free(snapshot_at(atomic_load(&current)));
    return 0;
}
