// sc-gather(N): N - 1 threads announce themselves in a counter and leave it again; each tries until it was alone, and
// a last thread gathers what they wrote.
#include "prelude.h"

static atomic_int inside, parts[N];

static void enter(void)
{
    while (add(&inside, 1, seq_cst) != 0)
        add(&inside, -1, seq_cst);
}

static void *part(void *arg)
{
    int me = (int)(intptr_t)arg;
    enter();
    store(&parts[me], 1, seq_cst);
    add(&inside, -1, seq_cst);
    return NULL;
}

static void *gather(void *arg)
{
    int sum = 0;
    enter();
    for (int i = 0; i < N - 1; i++)
        sum += load(&parts[i], seq_cst);
    assert(sum < N);
    add(&inside, -1, seq_cst);
    return arg;
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N - 1; i++)
        pthread_create(&t[i], NULL, part, (void *)i);
    pthread_create(&t[N - 1], NULL, gather, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
