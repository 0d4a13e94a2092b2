// A queue of jobs that publishes a job with a relaxed store; with two producers, it would also lose jobs (docs/queue.md).
// The counterexample: the worker sees the flag of a slot, and need not see the job in it.
// expect[rc11,rc11-ra,rc11-cpp11]: violation=race line=33
// expect[pso]: violation=assertion line=47
// expect[sc,tso,ra]: verified complete=1 blocked=0
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
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    atomic_store_explicit(&tail, at + 1, memory_order_relaxed);
    slots[at].job = job;
    atomic_store_explicit(&slots[at].full, true, memory_order_relaxed);
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
    pthread_t one;
    int job = 7;
    pthread_create(&one, NULL, producer, &job);
    assert(pop() == 7);
    pthread_join(one, NULL);
    return 0;
}
