// A sequence lock with a byte that says that somebody writes: readers load flag and sequence at once.
// expect[tso,rc11-ra]: verified complete=11 blocked=0
// twin[rc11-ra] `memory_order_release);` -> `memory_order_relaxed);`: violation=assertion line=47
// twin[rc11-ra] acquire->relaxed: violation=assertion line=47
// The writer stores the flag alone, and then the whole word: without the flag, and with the next sequence number.
// In two executions the reader first sees the flag, or the new word. In nine it first sees the old word, then either
// value of each side, and at the end the flag or the new word; if both values are old, also the old word.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define relaxed memory_order_relaxed

static union {
    _Atomic uint32_t word;
    struct {
        _Atomic uint8_t writing;
        uint8_t unused;
        _Atomic uint16_t sequence;
    };
} lock;
static _Atomic int left, right;

static void *writer(void *arg)
{
    uint32_t next = atomic_load_explicit(&lock.sequence, relaxed) + 1;
    atomic_store_explicit(&lock.writing, 1, relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&left, 1, relaxed);
    atomic_store_explicit(&right, 1, relaxed);
    atomic_store_explicit(&lock.word, next << 16, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    uint32_t before = atomic_load_explicit(&lock.word, memory_order_acquire);
    if (before & 0xff)
        return arg;
    int l = atomic_load_explicit(&left, relaxed);
    int r = atomic_load_explicit(&right, relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&lock.word, relaxed) != before)
        return arg;
    assert(l == r);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
