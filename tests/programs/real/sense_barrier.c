// A sense-reversing barrier between the phases of a simulation: the last to arrive turns the sense for the others.
// expect[sc,tso,rc11]: verified
// twin[rc11] `1, memory_order_acq_rel` -> `1, memory_order_acquire`: violation=race lines=46,50
// twin[rc11] `1, memory_order_acq_rel` -> `1, memory_order_release`: violation=race lines=46,50
// twin[rc11] `sense, memory_order_release` -> `sense, memory_order_relaxed`: violation=race lines=46,50
// twin[rc11] `&barrier->sense, memory_order_acquire` -> `&barrier->sense, memory_order_relaxed`: violation=race lines=46,50
// The count has to be reset before the others may come again.
// twin[rc11] `atomic_store_explicit(&barrier->left, THREADS, memory_order_relaxed);` -> ``: violation=liveness line=37
// The sense is not reversed, so nobody waits the second time.
// twin[rc11] `*local = !*local;` -> ``: violation=race lines=46,50
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define THREADS 2
#define PHASES 2

struct barrier {
    atomic_int left;
    atomic_bool sense;
};

static struct barrier barrier = {THREADS, false};
static int cells[PHASES][THREADS];

static void barrier_wait(struct barrier *barrier, bool *local)
{
    *local = !*local;
    bool sense = *local;
    if (atomic_fetch_sub_explicit(&barrier->left, 1, memory_order_acq_rel) == 1) {
        atomic_store_explicit(&barrier->left, THREADS, memory_order_relaxed);
        atomic_store_explicit(&barrier->sense, sense, memory_order_release);
        return;
    }
    while (atomic_load_explicit(&barrier->sense, memory_order_acquire) != sense)
        ;
}

static void *simulate(void *arg)
{
    int self = (int)(intptr_t)arg;
    bool local = false;
    for (int phase = 0; phase < PHASES; phase++) {
        cells[phase][self] = self + 1;
        barrier_wait(&barrier, &local);
        int sum = 0;
        for (int i = 0; i < THREADS; i++)
            sum += cells[phase][i];
        assert(sum == THREADS * (THREADS + 1) / 2);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, simulate, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
