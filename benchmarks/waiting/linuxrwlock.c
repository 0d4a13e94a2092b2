// linuxrwlock(N): N threads take a read-write lock, every other one to write. Source: the read-write spinlock of
// Linux before 3.16. An attempt that fails gives back what it took, so that it has no effect in the end.
#include "prelude.h"

enum { ALL = 1000 };

static atomic_int left = ALL;
static int first, second;

static void take(int share)
{
    while (add(&left, -share, acquire) < share) {
        add(&left, share, relaxed);
        while (load(&left, relaxed) < share)
            ;
    }
}

static void *worker(void *arg)
{
    int share = (intptr_t)arg % 2 ? 1 : ALL;
    take(share);
    if (share == ALL)
        second = ++first;
    else
        assert(first == second);
    add(&left, share, release);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
