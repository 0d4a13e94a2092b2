// atomic_flag: the first test-and-set finds it clear.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int winner; // written by one thread only

static void *claim(void *arg)
{
    if (!atomic_flag_test_and_set(&taken))
        winner++;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, claim, NULL);
    pthread_create(&b, NULL, claim, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(winner == 1);
    atomic_flag_clear(&taken);
    assert(!atomic_flag_test_and_set(&taken));
    return 0;
}
