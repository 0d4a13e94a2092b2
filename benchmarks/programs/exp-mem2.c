// exp-mem2(N): (N! (N + 2))^2 executions, without read-modify-writes. Source: TruSt, table 1, which gives counts only.
// Two halves that share nothing. In each, N threads write x in any order, a reader sees any of them or, if it sees
// none, looks at the hint, which is there or not yet: N + 2 outcomes for each order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#define HALF (N + 2)

static atomic_int x[2], hint[2];

static void read_half(int half)
{
    int seen = atomic_load(&x[half]);
    assert(0 <= seen && seen <= N);
    if (seen == 0)
        atomic_load(&hint[half]);
}

static void *thread(void *arg)
{
    int half = (int)(intptr_t)arg / HALF, role = (int)(intptr_t)arg % HALF;
    if (role < N)
        atomic_store(&x[half], role + 1);
    else if (role == N)
        atomic_store(&hint[half], 1);
    else
        read_half(half);
    return NULL;
}

int main(void)
{
    pthread_t t[2 * HALF];
    for (intptr_t i = 0; i < 2 * HALF; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < 2 * HALF; i++)
        pthread_join(t[i], NULL);
    return 0;
}
