// ring-buffer(N): one thread offers N items to a ring of two cells, another one looks N times for one.
// Source: Lamport, "Specifying concurrent program modules", TOPLAS 1983. Nobody waits: a full ring refuses.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif
#define CELLS 2

static int cells[CELLS];
static atomic_int written, taken;

static int offer(int item)
{
    int end = atomic_load_explicit(&written, memory_order_relaxed);
    if (end - atomic_load_explicit(&taken, memory_order_acquire) == CELLS)
        return 0;
    cells[end % CELLS] = item;
    atomic_store_explicit(&written, end + 1, memory_order_release);
    return 1;
}

static int poll(int *item)
{
    int start = atomic_load_explicit(&taken, memory_order_relaxed);
    if (atomic_load_explicit(&written, memory_order_acquire) == start)
        return 0;
    *item = cells[start % CELLS];
    atomic_store_explicit(&taken, start + 1, memory_order_release);
    return 1;
}

static void *producer(void *arg)
{
    int next = 1;
    for (int i = 0; i < N; i++)
        next += offer(next);
    return arg;
}

static void *consumer(void *arg)
{
    int item, next = 1;
    for (int i = 0; i < N; i++)
        if (poll(&item))
            assert(item == next++);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
