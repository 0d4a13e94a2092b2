// A compare-exchange that needs another one's result. Source: the litmus test cas3.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=5 blocked=0
// If 0->1 wins: 1->3 fails on 0 and 0->2 on 1, or 1->3 succeeds and 0->2 fails on 1 or on 3: three.
// If 0->2 wins: 0->1 fails on 2, and 1->3 fails on 0 or on 2: two.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static int cas(int from, int to)
{
    return atomic_compare_exchange_strong(&x, &from, to);
}

static void *one(void *arg)
{
    cas(0, 1);
    return arg;
}

static void *two(void *arg)
{
    cas(0, 2);
    return arg;
}

static void *three(void *arg)
{
    cas(1, 3);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_create(&c, NULL, three, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(atomic_load(&x) != 0);
    return 0;
}
