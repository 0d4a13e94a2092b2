// The older __sync builtins.
// expect[sc,tso,rc11]: verified complete=2 blocked=0
// Whoever comes first; each thread's other accesses are to locations of its own.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, mine[2];
static int winners;

static void work(int me)
{
    if (__sync_bool_compare_and_swap(&x, 0, me + 1))
        __sync_fetch_and_add(&winners, 1);
    __sync_synchronize();
    assert(__sync_fetch_and_add(&mine[me], 6) == 0);
    assert(__sync_sub_and_fetch(&mine[me], 1) == 5);
    assert(__sync_val_compare_and_swap(&mine[me], 5, 9) == 5);
    assert(__sync_lock_test_and_set(&mine[me], 2) == 9);
    __sync_lock_release(&mine[me]);
}

static void *left(void *arg)
{
    work(0);
    return arg;
}

static void *right(void *arg)
{
    work(1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(winners == 1);
    assert(mine[0] == 0 && mine[1] == 0);
    return 0;
}
