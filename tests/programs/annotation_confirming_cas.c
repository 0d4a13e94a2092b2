// A lock is tested before it is taken; whether it was taken in between is not told apart.
// expect[sc,tso,pso,ra,rc11,rc11-cpp11]: verified complete=6 blocked=0
// Three threads take the lock, in one of six orders.
// twin[sc,rc11] `expected = 0;` -> `expected = 2;`: violation=annotation
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int taken;
static int visits;

static void *visitor(void *arg)
{
    int expected;
    do {
        while (atomic_load_explicit(&taken, memory_order_relaxed))
            ;
        expected = 0;
    } while (!__VERIFIER_confirming_CAS(atomic_compare_exchange_strong_explicit(
        &taken, &expected, 1, memory_order_acquire, memory_order_relaxed)));
    visits++;
    atomic_store_explicit(&taken, 0, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, visitor, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(visits == 3);
    return 0;
}
