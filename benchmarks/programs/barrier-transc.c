// barrier-transc(N): N threads compute the transitive closure of a graph until nothing changes, and meet twice in each
// round. Source: BAM, thesis §10.2.3. The barriers order all accesses to common nodes, so there is one execution.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
#define NODES 5

static pthread_barrier_t barrier;
static unsigned reach[2][NODES] = {{1 << 1, 1 << 2, 1 << 3, 1 << 4, 0}};

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int now = 0;; now = !now) {
        for (int node = me; node < NODES; node += N) {
            unsigned found = reach[now][node];
            for (int other = 0; other < NODES; other++)
                if (reach[now][node] >> other & 1)
                    found |= reach[now][other];
            reach[!now][node] = found;
        }
        pthread_barrier_wait(&barrier);
        int changed = 0;
        for (int node = 0; node < NODES; node++)
            changed |= reach[0][node] != reach[1][node];
        if (!changed)
            return NULL;
        pthread_barrier_wait(&barrier);
    }
}

int main(void)
{
    pthread_t t[N];
    pthread_barrier_init(&barrier, NULL, N);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    for (int node = 0; node < NODES; node++)
        assert(reach[0][node] == (31u << (node + 1) & 31));
    return 0;
}
