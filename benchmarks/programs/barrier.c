// barrier(N): N threads meet at a barrier once; with ROUNDS, that often. Source: BAM, thesis §10.2.3. The order in
// which they come does not matter, so there is one execution.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_barrier_t barrier;

static void *worker(void *arg)
{
    for (int round = 0; round < ROUNDS; round++)
        pthread_barrier_wait(&barrier);
    return arg;
}

int main(void)
{
    pthread_t t[N];
    pthread_barrier_init(&barrier, NULL, N);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
