// A thread sees the middle of a round that is taken back, and goes on only after the first thread has left its loop.
// mazurka: --unroll 3
// expect[sc,tso,ra,rc11,rc11-cpp11]: violation=assertion line=40
// With the counter at 2 and `first` set, the adder has failed once; `done` says that it succeeded later.
// twin[sc,tso,ra,rc11] `seen == 2` -> `seen == 3`: bounded
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter, done, helped, first;

static void *adder(void *arg)
{
    while (atomic_fetch_add(&counter, 1) != 0)
        atomic_fetch_sub(&counter, 1);
    atomic_store(&done, 1);
    return arg;
}

static void *other(void *arg)
{
    if (atomic_fetch_add(&counter, 1) == 0)
        atomic_store(&first, 1);
    atomic_fetch_sub(&counter, 1);
    return arg;
}

static void *reader(void *arg)
{
    int seen, over;
    do {
        seen = atomic_load(&counter);
        over = atomic_load(&done);
        int expected = 5;
        atomic_compare_exchange_strong(&helped, &expected, 6);
    } while (!over);
    int was_first = atomic_load(&first);
    if (was_first)
        assert(!(seen == 2));
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, adder, NULL);
    pthread_create(&t[1], NULL, other, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
