// chase-lev(N): the owner pushes N tasks and takes N; a thief steals until it got one or saw none. Source: Chase and
// Lev, SPAA 2005; the memory orders are those of Lê et al., PPoPP 2013. The array never grows.
#include "prelude.h"

enum { NOTHING = -1 };

static atomic_int top, bottom, tasks[N], done[N];

static void push(int task)
{
    int b = load(&bottom, relaxed);
    store(&tasks[b], task, relaxed);
    atomic_thread_fence(memory_order_release);
    store(&bottom, b + 1, relaxed);
}

static int take(void)
{
    int b = load(&bottom, relaxed) - 1;
    store(&bottom, b, relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int t = load(&top, relaxed), task = NOTHING;
    if (t < b)
        return load(&tasks[b], relaxed);
    if (t == b) { // the last one: the thief may be after it, too
        task = load(&tasks[b], relaxed);
        if (!replace(&top, &t, t + 1, seq_cst, relaxed))
            task = NOTHING;
    }
    store(&bottom, b + 1, relaxed);
    return task;
}

static int steal(void)
{
    for (;;) {
        int t = load(&top, acquire);
        atomic_thread_fence(memory_order_seq_cst);
        int b = load(&bottom, acquire);
        if (t >= b)
            return NOTHING;
        int task = load(&tasks[t], relaxed);
        if (replace(&top, &t, t + 1, seq_cst, relaxed))
            return task;
    }
}

static void run(int task)
{
    if (task != NOTHING)
        assert(add(&done[task], 1, relaxed) == 0); // nobody did it before
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
    run(steal());
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_create(&c, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
