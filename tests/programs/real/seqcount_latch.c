// A latched sequence counter: two copies, of which one is always whole, so that even a reader that interrupts the
// writer gets an answer.
// expect[sc,tso,rc11]: verified
// twin[rc11] `phase, memory_order_release` -> `phase, memory_order_relaxed`: violation=assertion line=74
// twin[rc11] `atomic_thread_fence(memory_order_release)` -> `atomic_thread_fence(memory_order_relaxed)`: violation=assertion line=74
// twin[rc11] `&latch->phase, memory_order_acquire` -> `&latch->phase, memory_order_relaxed`: violation=assertion line=74
// twin[rc11] `atomic_thread_fence(memory_order_acquire)` -> `atomic_thread_fence(memory_order_relaxed)`: violation=assertion line=74
// A reader that looks at the copy which is being written.
// twin[sc,tso,rc11] `&latch->copy[phase & 1]` -> `&latch->copy[~phase & 1]`: violation=assertion line=74
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct scale {
    atomic_int multiplier, shift; // multiplier == 1 << shift
};

struct latch {
    atomic_uint phase; // even: read copy 0; odd: read copy 1
    struct scale copy[2];
};

static struct latch latch = {.copy = {{1, 0}, {1, 0}}};

// Release: the copy that readers turn to is complete. The fence: who sees a store to the other copy, and has an
// acquire fence, sees that the phase is over.
static void next_phase(struct latch *latch, unsigned phase)
{
    atomic_store_explicit(&latch->phase, phase, memory_order_release);
    atomic_thread_fence(memory_order_release);
}

static void set(struct scale *scale, int shift)
{
    atomic_store_explicit(&scale->multiplier, 1 << shift, memory_order_relaxed);
    atomic_store_explicit(&scale->shift, shift, memory_order_relaxed);
}

static void latch_update(struct latch *latch, int shift) // one writer
{
    unsigned phase = atomic_load_explicit(&latch->phase, memory_order_relaxed);
    next_phase(latch, phase + 1);
    set(&latch->copy[0], shift);
    next_phase(latch, phase + 2);
    set(&latch->copy[1], shift);
}

static void latch_read(struct latch *latch, int *multiplier, int *shift)
{
    unsigned phase;
    do {
        phase = atomic_load_explicit(&latch->phase, memory_order_acquire);
        struct scale *scale = &latch->copy[phase & 1];
        *multiplier = atomic_load_explicit(&scale->multiplier, memory_order_relaxed);
        *shift = atomic_load_explicit(&scale->shift, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
    } while (atomic_load_explicit(&latch->phase, memory_order_relaxed) != phase);
}

static void *tuning(void *arg)
{
    (void)arg;
    latch_update(&latch, 1);
    latch_update(&latch, 2);
    return NULL;
}

static void *converting(void *arg)
{
    (void)arg;
    int multiplier, shift;
    latch_read(&latch, &multiplier, &shift);
    assert(multiplier == 1 << shift);
    return NULL;
}

int main(void)
{
    pthread_t writer, reader;
    pthread_create(&writer, NULL, tuning, NULL);
    pthread_create(&reader, NULL, converting, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
