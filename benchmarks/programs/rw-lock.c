// rw-lock(N): a writer and N readers, a counter that a writer takes whole and a reader takes one of.
// Source: the read-write spinlock of Linux before 3.16. Each tries twice, then gives up, so that no execution waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif
#define TRIES 2
#define ALL 1000

static atomic_int left = ALL;
static int first, second;

static int take(int share)
{
    for (int i = 0; i < TRIES; i++) {
        if (atomic_fetch_sub_explicit(&left, share, memory_order_acquire) >= share)
            return 1;
        atomic_fetch_add_explicit(&left, share, memory_order_relaxed);
    }
    return 0;
}

static void give_back(int share)
{
    atomic_fetch_add_explicit(&left, share, memory_order_release);
}

static void *writer(void *arg)
{
    if (take(ALL)) {
        first = 1;
        second = 1;
        give_back(ALL);
    }
    return arg;
}

static void *reader(void *arg)
{
    if (take(1)) {
        assert(first == second);
        give_back(1);
    }
    return arg;
}

int main(void)
{
    pthread_t w, r[N];
    pthread_create(&w, NULL, writer, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&r[i], NULL, reader, NULL);
    pthread_join(w, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(r[i], NULL);
    assert(atomic_load(&left) == ALL);
    return 0;
}
