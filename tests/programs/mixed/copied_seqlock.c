// A sequence lock whose readers copy a struct with memcpy, and whose writer changes its members one by one.
// expect[sc,tso]: verified complete=9 blocked=0
// expect[pso]: verified complete=11 blocked=0
// expect[rc11]: violation=race line=38
// twin[pso] `    atomic_thread_fence(memory_order_release);` -> ``: violation=assertion line=42
// The copy is plain, so in C11 it races with the writer, whatever the fences do. On machines they are enough.
// Two executions in which the reader sees a sequence number of the writer at first. In the others it sees none or all
// members, or one of them (pso: either one), and then any number that is not too old: three for none, else two.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static struct pair {
    uint32_t left, right;
} shared;
static atomic_uint sequence;

static void *writer(void *arg)
{
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    shared.left = 1;
    shared.right = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&sequence, 2, memory_order_relaxed);
    return arg;
}

static void *reader(void *arg)
{
    uint64_t copy;
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    if (before & 1)
        return arg;
    memcpy(&copy, &shared, sizeof copy);
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&sequence, memory_order_relaxed) != before)
        return arg;
    assert((uint32_t)copy == copy >> 32);
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
