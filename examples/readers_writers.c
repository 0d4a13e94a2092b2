// Readers-writers lock in one counter: readers add one, a writer takes it from 0 to -1. Source: Courtois et al. 1971.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// twin[sc,tso] `if (seen < 0)` -> `if (0)`: violation=assertion
// twin[rc11] `if (seen < 0)` -> `if (0)`: violation=race
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_int state;
static int left, right;

static bool read_lock(void)
{
    int seen = atomic_load(&state);
    do {
        if (seen < 0)
            return false; // a writer is inside
    } while (!atomic_compare_exchange_weak(&state, &seen, seen + 1));
    return true;
}

static void read_unlock(void)
{
    atomic_fetch_sub(&state, 1);
}

static void write_lock(void)
{
    int nobody = 0;
    __VERIFIER_assume(atomic_compare_exchange_strong(&state, &nobody, -1));
}

static void write_unlock(void)
{
    atomic_store(&state, 0);
}

static void *writer(void *arg)
{
    (void)arg;
    write_lock();
    left++;
    right++;
    write_unlock();
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    if (read_lock()) {
        assert(left == right);
        read_unlock();
    }
    return NULL;
}

int main(void)
{
    pthread_t w, r[2];
    pthread_create(&w, NULL, writer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&r[i], NULL, reader, NULL);
    pthread_join(w, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(r[i], NULL);
    return 0;
}
