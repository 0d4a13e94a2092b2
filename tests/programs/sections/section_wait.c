// A thread waits until two others have set a flag each: it looks at both flags at once, in a loop of sections.
// expect[sc,tso,pso,ra,rc11-ra,rc11]: verified complete=1 blocked=0
// twin[sc,rc11] `ready = 1` -> `ready = 2`: violation=liveness line=19
// It goes on once it has seen both flags. Rounds that change nothing do not count.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stddef.h>

static int set, ready, data;

static int __VERIFIER_atomic_both(void)
{
    return set == 1 && ready == 1;
}

static void *waiter(void *arg)
{
    while (!__VERIFIER_atomic_both())
        ;
    assert(data == 7);
    return arg;
}

static void *first(void *arg)
{
    __VERIFIER_atomic_begin();
    set = 1;
    __VERIFIER_atomic_end();
    return arg;
}

static void *second(void *arg)
{
    data = 7;
    __VERIFIER_atomic_begin();
    ready = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, first, NULL);
    pthread_create(&t[2], NULL, second, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
