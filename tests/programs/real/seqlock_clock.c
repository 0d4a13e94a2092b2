// A seqlock around a clock's two words: readers never write, and retry if a writer was in their way.
// expect[sc,tso,rc11]: verified
// twin[rc11] `memory_order_release); // begin` -> `memory_order_relaxed); // begin`: violation=assertion line=65
// twin[rc11] `sequence + 2, memory_order_release` -> `sequence + 2, memory_order_relaxed`: violation=assertion line=65
// twin[rc11] `&clock->sequence, memory_order_acquire` -> `&clock->sequence, memory_order_relaxed`: violation=assertion line=65
// twin[rc11] `atomic_thread_fence(memory_order_acquire)` -> `atomic_thread_fence(memory_order_relaxed)`: violation=assertion line=65
// A reader that does not care about writers that have begun.
// twin[sc,tso,rc11] `while (before & 1 || ` -> `while (`: violation=assertion line=65
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct clock {
    atomic_uint sequence; // odd while a writer is at work
    atomic_long seconds;
    atomic_long nanoseconds;
};

struct timestamp {
    long seconds, nanoseconds;
};

static struct clock wall;
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;

static void clock_advance(struct clock *clock)
{
    pthread_mutex_lock(&writers);
    unsigned sequence = atomic_load_explicit(&clock->sequence, memory_order_relaxed);
    atomic_store_explicit(&clock->sequence, sequence + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release); // begin: who sees a store below sees that we are at work
    long seconds = atomic_load_explicit(&clock->seconds, memory_order_relaxed) + 1;
    atomic_store_explicit(&clock->seconds, seconds, memory_order_relaxed);
    atomic_store_explicit(&clock->nanoseconds, seconds * 7, memory_order_relaxed);
    atomic_store_explicit(&clock->sequence, sequence + 2, memory_order_release);
    pthread_mutex_unlock(&writers);
}

static struct timestamp clock_read(struct clock *clock)
{
    struct timestamp now;
    unsigned before, after;
    do {
        before = atomic_load_explicit(&clock->sequence, memory_order_acquire);
        now.seconds = atomic_load_explicit(&clock->seconds, memory_order_relaxed);
        now.nanoseconds = atomic_load_explicit(&clock->nanoseconds, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire); // the loads above come before the one below
        after = atomic_load_explicit(&clock->sequence, memory_order_relaxed);
    } while (before & 1 || before != after);
    return now;
}

static void *ticking(void *arg)
{
    (void)arg;
    clock_advance(&wall);
    return NULL;
}

static void *reading(void *arg)
{
    (void)arg;
    struct timestamp now = clock_read(&wall);
    assert(now.nanoseconds == now.seconds * 7);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i < 2 ? ticking : reading, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(clock_read(&wall).seconds == 2);
    return 0;
}
