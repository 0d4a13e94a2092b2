// chase-lev(N): the owner pushes N tasks and takes N, a thief steals twice. Source: Chase and Lev, SPAA 2005; the
// memory orders are those of Lê et al., PPoPP 2013. The array is large enough, so that it never grows.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif
#define STEALS 2
#define NOTHING -1

static atomic_int top, bottom, tasks[N], done[N];

static void push(int task)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&tasks[b], task, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int advance_top(int t)
{
    return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed);
}

static int take(void)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int t = atomic_load_explicit(&top, memory_order_relaxed), task = NOTHING;
    if (t < b)
        return atomic_load_explicit(&tasks[b], memory_order_relaxed);
    if (t == b) { // the last one: the thief may be after it, too
        task = atomic_load_explicit(&tasks[b], memory_order_relaxed);
        if (!advance_top(t))
            task = NOTHING;
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return task;
}

static int steal(void)
{
    int t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return NOTHING;
    int task = atomic_load_explicit(&tasks[t], memory_order_relaxed);
    return advance_top(t) ? task : NOTHING;
}

static void run(int task)
{
    if (task != NOTHING)
        assert(atomic_fetch_add_explicit(&done[task], 1, memory_order_relaxed) == 0); // nobody did it before
}

static void *owner(void *arg)
{
    for (int i = 0; i < N; i++)
        push(i);
    for (int i = 0; i < N; i++)
        run(take());
    return arg;
}

static void *thief(void *arg)
{
    for (int i = 0; i < STEALS; i++)
        run(steal());
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
