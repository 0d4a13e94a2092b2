// An assumption that fails before any thread starts: nothing to explore.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=0 blocked=1
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stddef.h>

static void *wrong(void *arg)
{
    assert(0);
    return arg;
}

int main(void)
{
    pthread_t t;
    __VERIFIER_assume(0);
    pthread_create(&t, NULL, wrong, NULL);
    pthread_join(t, NULL);
    return 0;
}
