// barrier-toy(N): N threads meet at a barrier once, and the barrier is the toy of thesis Fig. 7.1, made of a
// fetch-and-add, a read and an assumption. So the order in which they come is explored: N! complete executions.
// A thread that reads too early is blocked. Where such executions are counted (--no-load-annotations) there are
// (N!)^2 executions in all, as in the thesis.
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

static atomic_int reached;

static void *worker(void *arg)
{
    int mine = atomic_fetch_add(&reached, 1);
    int all = atomic_load(&reached);
    __VERIFIER_assume(all / N > mine / N);
    return arg;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
