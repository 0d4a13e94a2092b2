// nwrites(N): N threads write a location each: one execution. Source: HMC, table 1.
#include "shared.h"

static atomic_int places[N];

static void *writer(void *arg)
{
    store(&places[(intptr_t)arg], 1, relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, writer, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
