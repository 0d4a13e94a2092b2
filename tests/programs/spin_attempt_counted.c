// The rule of the thesis (§7.2.7) would lose this: who fails is stopped before it takes back what it added, and the
// only one who reads that is an addition, which uses its result.
// mazurka: --unroll 3
// expect[sc,tso,ra,rc11,rc11-cpp11]: violation=assertion line=18
// `other` was first and `counting` found 2, so `taker` had failed by then; later it succeeds and sees both flags.
// twin[sc,tso,ra,rc11] `== 2` -> `== 3`: bounded
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter, first, found_two;

static void *taker(void *arg)
{
    while (atomic_fetch_add(&counter, 1) != 0)
        atomic_fetch_sub(&counter, 1);
    assert(!(atomic_load(&first) && atomic_load(&found_two)));
    atomic_fetch_sub(&counter, 1);
    return arg;
}

static void *other(void *arg)
{
    if (atomic_fetch_add(&counter, 1) == 0)
        atomic_store(&first, 1);
    atomic_fetch_sub(&counter, 1);
    return arg;
}

static void *counting(void *arg)
{
    if (atomic_fetch_add(&counter, 1) == 2)
        atomic_store(&found_two, 1);
    atomic_fetch_sub(&counter, 1);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, taker, NULL);
    pthread_create(&t[1], NULL, other, NULL);
    pthread_create(&t[2], NULL, counting, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
