// A work-stealing deque in an array that starts again at 0 when it is empty; a tag beside the top tells the rounds apart.
// expect[sc,tso,rc11]: verified
// Owner and thief must not both overlook that one job is left.
// twin[tso,rc11] `memory_order_seq_cst); // owner` -> `memory_order_acq_rel); // owner`: violation=assertion line=91
// twin[rc11] `memory_order_seq_cst); // thief` -> `memory_order_acq_rel); // thief`: violation=assertion line=91
// A thief learns of a job by the bottom.
// twin[rc11] `bottom + 1, memory_order_release` -> `bottom + 1, memory_order_relaxed`: violation=assertion
// twin[rc11] `&deque->bottom, memory_order_acquire` -> `&deque->bottom, memory_order_relaxed`: violation=assertion
// Without a tag, a thief takes a job of the last round for one of this round.
// twin[sc,tso,rc11] `age + ONE_ROUND` -> `age`: violation=assertion line=91
// The last job belongs to whoever changes the age.
// twin[sc,tso,rc11] `if (change_age(deque, age, fresh))` -> `if (change_age(deque, age, fresh) || 1)`: violation=assertion line=91
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAPACITY 4
#define ONE_ROUND 0x100u

struct job {
    atomic_int runs;
};

struct deque {
    atomic_uint age; // the round, and the top in the lowest eight bits
    atomic_uint bottom;
    _Atomic(struct job *) jobs[CAPACITY];
};

static struct deque deque;
static struct job jobs[3];

static unsigned top_of(unsigned age)
{
    return age & (ONE_ROUND - 1);
}

static bool change_age(struct deque *deque, unsigned age, unsigned fresh)
{
    return atomic_compare_exchange_strong_explicit(&deque->age, &age, fresh, memory_order_seq_cst, memory_order_relaxed);
}

static void push(struct deque *deque, struct job *job)
{
    unsigned bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    atomic_store_explicit(&deque->jobs[bottom], job, memory_order_relaxed);
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
}

static struct job *pop(struct deque *deque)
{
    unsigned bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    if (bottom == 0)
        return NULL;
    bottom--;
    // Release: a thief that sees this bottom takes jobs that were pushed before it.
    atomic_store_explicit(&deque->bottom, bottom, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst); // owner: reserved before we look at the age
    struct job *job = atomic_load_explicit(&deque->jobs[bottom], memory_order_relaxed);
    unsigned age = atomic_load_explicit(&deque->age, memory_order_relaxed);
    if (bottom > top_of(age))
        return job;
    atomic_store_explicit(&deque->bottom, 0, memory_order_relaxed);
    unsigned fresh = (age + ONE_ROUND) & ~(ONE_ROUND - 1);
    if (bottom == top_of(age))
        if (change_age(deque, age, fresh))
            return job;
    atomic_store_explicit(&deque->age, fresh, memory_order_release); // a thief took it
    return NULL;
}

static struct job *steal(struct deque *deque)
{
    unsigned age = atomic_load_explicit(&deque->age, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst); // thief: the age is older than the bottom
    unsigned bottom = atomic_load_explicit(&deque->bottom, memory_order_acquire);
    if (bottom <= top_of(age))
        return NULL;
    struct job *job = atomic_load_explicit(&deque->jobs[top_of(age)], memory_order_relaxed);
    return change_age(deque, age, age + 1) ? job : NULL;
}

static void run(struct job *job)
{
    if (!job)
        return;
    int before = atomic_fetch_add_explicit(&job->runs, 1, memory_order_relaxed);
    assert(before == 0);
}

static void *thief(void *arg)
{
    (void)arg;
    run(steal(&deque));
    run(steal(&deque));
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, thief, NULL);
    push(&deque, &jobs[0]);
    push(&deque, &jobs[1]);
    run(pop(&deque));
    run(pop(&deque));
    push(&deque, &jobs[2]);
    run(pop(&deque));
    pthread_join(thread, NULL);
    for (int i = 0; i < 3; i++)
        assert(atomic_load(&jobs[i].runs) == 1);
    return 0;
}
