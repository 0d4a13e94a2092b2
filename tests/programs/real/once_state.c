// Initialisation that happens once, in one byte: the first caller does the work, and the others wait for it.
// expect[sc,tso,rc11]: verified
// twin[rc11] `DONE, memory_order_release` -> `DONE, memory_order_relaxed`: violation=race lines=31,63
// twin[rc11] `memory_order_acquire) == DONE` -> `memory_order_relaxed) == DONE`: violation=race lines=31,63
// twin[rc11] `memory_order_acquire) != DONE` -> `memory_order_relaxed) != DONE`: violation=race lines=31,63
// A caller that comes just when the work is done learns so from the exchange that fails.
// twin[rc11] `memory_order_relaxed, memory_order_acquire` -> `memory_order_relaxed, memory_order_relaxed`: violation=race lines=31,63
// Who finds the work begun does not wait.
// twin[rc11] `if (state == RUNNING)` -> `if (0)`: violation=race lines=31,63
// An initialiser that fails to say that it is done.
// twin[sc,rc11] `atomic_store_explicit(&once->state, DONE, memory_order_release);` -> ``: violation=liveness line=49
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NEW, RUNNING, DONE };

struct once {
    _Atomic uint8_t state;
};

static struct once once;
static uint32_t table[2];

static void fill_table(void)
{
    table[0] = UINT32_C(0x04c11db7);
    table[1] = table[0] << 1;
}

static bool once_is_done(struct once *once)
{
    return atomic_load_explicit(&once->state, memory_order_acquire) == DONE;
}

static void once_slow(struct once *once, void (*function)(void))
{
    uint8_t state = NEW;
    if (atomic_compare_exchange_strong_explicit(&once->state, &state, RUNNING,
                                                memory_order_relaxed, memory_order_acquire)) {
        function();
        atomic_store_explicit(&once->state, DONE, memory_order_release);
        return;
    }
    if (state == RUNNING)
        while (atomic_load_explicit(&once->state, memory_order_acquire) != DONE)
            ;
}

static inline void call_once_fast(struct once *once, void (*function)(void))
{
    if (!once_is_done(once))
        once_slow(once, function);
}

static void *checksum(void *arg)
{
    (void)arg;
    call_once_fast(&once, fill_table);
    assert(table[1] == UINT32_C(0x09823b6e));
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, checksum, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
