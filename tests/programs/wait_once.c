// Initialisation by whoever comes first; the others wait until it is done.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// The flag is set to the state in which the others wait.
// twin[sc,tso,rc11] `atomic_store_explicit(&state, DONE, memory_order_release);` -> `atomic_store_explicit(&state, RUNNING, memory_order_release);`: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { NEW, RUNNING, DONE };

static atomic_int state;
static int value;

static void *thread(void *arg)
{
    int found = NEW;
    if (atomic_compare_exchange_strong_explicit(&state, &found, RUNNING, memory_order_acquire, memory_order_acquire)) {
        value = 7;
        atomic_store_explicit(&state, DONE, memory_order_release);
    } else {
        while (found != DONE)
            found = atomic_load_explicit(&state, memory_order_acquire);
    }
    assert(value == 7);
    return arg;
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
