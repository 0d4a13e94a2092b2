// The __atomic builtins of GCC and clang on an ordinary int.
// expect[sc,tso,rc11]: verified complete=8 blocked=0
// The reader sees the initial value or one of seven writes.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *worker(void *arg)
{
    int seen = 1;
    __atomic_store_n(&x, 1, __ATOMIC_RELEASE);
    assert(__atomic_fetch_add(&x, 4, __ATOMIC_RELAXED) == 1);
    assert(__atomic_sub_fetch(&x, 2, __ATOMIC_SEQ_CST) == 3);
    assert(__atomic_or_fetch(&x, 8, __ATOMIC_ACQ_REL) == 11);
    assert(__atomic_fetch_nand(&x, 3, __ATOMIC_SEQ_CST) == 11);
    assert(__atomic_exchange_n(&x, 5, __ATOMIC_SEQ_CST) == ~3);
    assert(!__atomic_compare_exchange_n(&x, &seen, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && seen == 5);
    assert(__atomic_compare_exchange_n(&x, &seen, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return arg;
}

static void *reader(void *arg)
{
    int seen = __atomic_load_n(&x, __ATOMIC_ACQUIRE);
    assert(seen == 0 || seen == 1 || seen == 5 || seen == 3 || seen == 11 || seen == ~3 || seen == 9);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(__atomic_load_n(&x, __ATOMIC_RELAXED) == 9);
    return 0;
}
