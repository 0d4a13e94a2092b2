// A thread stores a value that the program leaves open; main reads 0, or one of the four.
// Four values, each with a load that comes before or after the store.
// expect[sc,tso,rc11]: verified complete=8 blocked=0
// twin[sc,rc11] `seen <= 2` -> `seen < 2`: violation=assertion line=23
// twin[sc] `__VERIFIER_nondet_range(-1, 2)` -> `__VERIFIER_nondet_range(1, 1)`: verified complete=2 blocked=0
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int shared;

static void *writer(void *arg)
{
    atomic_store(&shared, __VERIFIER_nondet_range(-1, 2));
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    int seen = atomic_load(&shared);
    assert(seen >= -1 && seen <= 2);
    pthread_join(thread, NULL);
    return 0;
}
