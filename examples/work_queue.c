// A queue of jobs for several producers and one worker: each slot has a flag. docs/queue.md tells how it was fixed.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
// twin[rc11] release->relaxed: violation=race
// twin[rc11] acquire->relaxed: violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SLOTS 4

static struct {
    int job;
    atomic_bool full;
} slots[SLOTS];
static atomic_uint tail; // the next slot to fill
static unsigned head;    // the next slot to empty: only the worker uses it

static void push(int job)
{
    unsigned at = atomic_fetch_add_explicit(&tail, 1, memory_order_relaxed);
    slots[at].job = job;
    atomic_store_explicit(&slots[at].full, true, memory_order_release);
}

static int pop(void)
{
    while (!atomic_load_explicit(&slots[head].full, memory_order_acquire))
        ; // empty
    return slots[head++].job;
}

static void *producer(void *job)
{
    push(*(int *)job);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    int jobs[] = {7, 8};
    pthread_create(&one, NULL, producer, &jobs[0]);
    pthread_create(&two, NULL, producer, &jobs[1]);
    assert(pop() + pop() == 7 + 8);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
