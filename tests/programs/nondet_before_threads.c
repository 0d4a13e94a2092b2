// Main leaves open how many threads there are: none, one or two, each of which adds to a counter.
// One execution each for none and one; two threads add in either order.
// expect[sc,rc11]: verified complete=4 blocked=0
// twin[sc] `counter == started` -> `counter == 2`: violation=assertion line=29
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int counter;

static void *add(void *arg)
{
    atomic_fetch_add(&counter, 1);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    int started = __VERIFIER_nondet_range(0, 2);
    if (started > 0)
        pthread_create(&threads[0], NULL, add, NULL);
    if (started > 1)
        pthread_create(&threads[1], NULL, add, NULL);
    if (started > 0)
        pthread_join(threads[0], NULL);
    if (started > 1)
        pthread_join(threads[1], NULL);
    assert(counter == started);
    return 0;
}
