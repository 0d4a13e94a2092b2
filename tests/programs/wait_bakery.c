// Lamport's bakery for two threads: the smaller number goes first.
// expect[sc,rc11,rc11-cpp11]: verified
// A thread that keeps its number after it has left.
// twin[sc,rc11] `atomic_store(&number[me], 0);` -> ``: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int chooses[2], number[2];
static int counter;

static void *thread(void *arg)
{
    int me = (int)(long)arg, other = 1 - me;
    atomic_store(&chooses[me], 1);
    int mine = atomic_load(&number[other]) + 1;
    atomic_store(&number[me], mine);
    atomic_store(&chooses[me], 0);
    while (atomic_load(&chooses[other]))
        ;
    int theirs;
    do
        theirs = atomic_load(&number[other]);
    while (theirs && (theirs < mine || (theirs == mine && other < me)));
    counter++;
    atomic_store(&number[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
