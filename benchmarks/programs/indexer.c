// indexer(N): threads fill a hash table; they collide from twelve threads on. Source: Flanagan and Godefroid 2005.
// Thread t's m-th key is 11 m + t. Keys of threads t and t + 11 meet three times, and a probe after a collision
// always finds a free slot: 8 executions for each such pair of threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 12
#endif
#define SIZE 128
#define KEYS 4

static atomic_int table[SIZE];

static void insert(int key)
{
    int slot = key * 7 % SIZE;
    int empty = 0;
    while (!atomic_compare_exchange_strong(&table[slot], &empty, key)) {
        slot = (slot + 1) % SIZE;
        empty = 0;
    }
}

static void *worker(void *arg)
{
    int id = (int)(intptr_t)arg;
    for (int m = 1; m <= KEYS; m++)
        insert(m * 11 + id);
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
