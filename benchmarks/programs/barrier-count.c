// barrier-count(N): thread i waits at the barriers b_i to b_N, so that k threads meet at b_k; each counts that it came
// through, and thread k reads the count of b_k. After: BAM, thesis §10.2.3. The threads that meet at b_k count in any
// order; if thread k is the p-th of them, it reads one of the values p to k. That makes (k-1)! (1 + ... + k) ways for
// each k, which the barriers keep apart. (The thesis does not give its program, which has more: 64 for N = 3.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static pthread_barrier_t barrier[N + 1];
static atomic_int came[N + 1];

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int k = me; k <= N; k++) {
        pthread_barrier_wait(&barrier[k]);
        int before = atomic_fetch_add(&came[k], 1);
        if (k == me) {
            int seen = atomic_load(&came[k]);
            assert(before < seen && seen <= k);
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t t[N + 1];
    for (int k = 1; k <= N; k++)
        pthread_barrier_init(&barrier[k], NULL, k);
    for (intptr_t i = 1; i <= N; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 1; i <= N; i++)
        pthread_join(t[i], NULL);
    for (int k = 1; k <= N; k++)
        assert(came[k] == k);
    return 0;
}
