// Two threads increment a plain counter twice each, in functions that run atomically by their names, as in SV-COMP.
// expect[sc,tso,pso,ra,rc11-ra,rc11]: verified complete=6 blocked=0
// twin[sc] __VERIFIER_atomic_increment->increment_in_parts: violation=assertion
// twin[rc11] __VERIFIER_atomic_increment->increment_in_parts: violation=race
// Four increments, of which each thread orders two.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stddef.h>

#define increment __VERIFIER_atomic_increment

static int counter;

static void increment(void)
{
    int seen = counter;
    counter = seen + 1;
}

static void *worker(void *arg)
{
    increment();
    increment();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 4);
    return 0;
}
