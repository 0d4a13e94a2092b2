// A counter behind a mutex, and the classic mistake of a mutex a thread. Source: any textbook.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=6
// Three critical sections in any order: 3! executions.
// twin[sc,tso] `&locks[0]` -> `&locks[me]`: violation=assertion
// twin[rc11] `&locks[0]` -> `&locks[me]`: violation=race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define THREADS 3

static pthread_mutex_t locks[THREADS] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};
static int counter;

static void *thread(void *arg)
{
    intptr_t me = (intptr_t)arg;
    pthread_mutex_t *lock = &locks[0];
    (void)me;
    pthread_mutex_lock(lock);
    counter++;
    pthread_mutex_unlock(lock);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(counter == THREADS);
    return 0;
}
