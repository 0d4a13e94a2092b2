// Two strong compare-exchanges from 0: one wins, the loser learns who. Source: the litmus test cas2.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=2 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static atomic_int winners;

static void claim(int me)
{
    int seen = 0;
    if (atomic_compare_exchange_strong(&x, &seen, me))
        atomic_fetch_add(&winners, 1);
    else
        assert(seen == 3 - me);
}

static void *left(void *arg)
{
    claim(1);
    return arg;
}

static void *right(void *arg)
{
    claim(2);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&winners) == 1);
    return 0;
}
