// A loop that helps while it waits: whether a round changes something depends on what it read.
// expect[sc,tso,pso,ra,rc11,rc11-cpp11]: verified complete=2 blocked=0
// The first round sees `done`, or helps; the second sees it, or writes 7 over 7, which changes nothing: but then it
// could have seen `done`, which is written in the end, so that does not count.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int tail, done;

static void *helper(void *arg)
{
    for (;;) {
        int seen = atomic_load(&tail);
        if (atomic_load(&done))
            break;
        atomic_compare_exchange_strong(&tail, &seen, 7);
    }
    return arg;
}

static void *other(void *arg)
{
    atomic_store(&done, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, helper, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
