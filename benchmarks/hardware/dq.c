// dq: a Chase-Lev deque, DQ/211-2-1 of HMC's table 4. The owner pushes twice, takes once and pushes once more; one
// thief steals twice, another once. Source: Chase and Lev, SPAA 2005; orders after Lê et al., PPoPP 2013. With -DOPT, the
// owner's loads are relaxed. The array is large enough, so that it never grows.
#include "shared.h"

#ifdef OPT
#define owned relaxed
#else
#define owned acquire
#endif

enum { TASKS = 3, NOTHING = -1 }; // a task that was never pushed is 0

static atomic_int top, bottom, tasks[TASKS], done[TASKS + 1];

static void push(int task)
{
    int b = load(&bottom, owned);
    store(&tasks[b], task, relaxed);
    fence(release);
    store(&bottom, b + 1, release);
}

static int advance_top(int t)
{
    return replace(&top, &t, t + 1, seq_cst, relaxed);
}

static int take(void)
{
    int b = load(&bottom, owned) - 1;
    store(&bottom, b, release);
    fence(seq_cst);
    int t = load(&top, owned);
    if (t < b)
        return load(&tasks[b], relaxed);
    int task = NOTHING;
    if (t == b && advance_top(t))
        task = load(&tasks[b], relaxed);
    store(&bottom, b + 1, release);
    return task;
}

static int steal(void)
{
    int t = load(&top, acquire);
    fence(seq_cst);
    int b = load(&bottom, acquire);
    if (t >= b)
        return NOTHING;
    int task = load(&tasks[t], relaxed);
    return advance_top(t) ? task : NOTHING;
}

static void run(int task)
{
    if (task != NOTHING)
        assert(task > 0 && add(&done[task], 1, relaxed) == 0); // it was pushed, and nobody did it before
}

static void *owner(void *arg)
{
    push(1);
    push(2);
    run(take());
    push(3);
    return arg;
}

static void *two_steals(void *arg)
{
    run(steal());
    run(steal());
    return arg;
}

static void *one_steal(void *arg)
{
    run(steal());
    return arg;
}

int main(void)
{
    run_all((void *(*const[])(void *)){owner, two_steals, one_steal}, 3);
    return 0;
}
