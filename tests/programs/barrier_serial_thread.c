// In each round one thread is told that it is the serial one: three choices, and three more in the second round.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=9 blocked=0
// twin[sc,rc11] `assert(serial == 1)` -> `assert(first != 2)`: violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define N 3

static pthread_barrier_t barrier;
static int serial, first;

static void *worker(void *arg)
{
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        serial++;
        first = (int)(long)arg;
    }
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(serial == 1);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    pthread_barrier_init(&barrier, NULL, N);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
