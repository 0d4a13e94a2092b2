// Each fetch operation of stdatomic.h, watched by a reader.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=7 blocked=0
// The reader sees the initial value or one of six writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x = 12;

static void *worker(void *arg)
{
    assert(atomic_fetch_add(&x, 3) == 12);
    assert(atomic_fetch_sub(&x, 5) == 15);
    assert(atomic_fetch_and(&x, 6) == 10);
    assert(atomic_fetch_or(&x, 9) == 2);
    assert(atomic_fetch_xor(&x, 3) == 11);
    assert(atomic_exchange(&x, -1) == 8);
    assert(atomic_load(&x) == -1);
    return arg;
}

static void *reader(void *arg)
{
    int seen = atomic_load(&x);
    assert(seen == 12 || seen == 15 || seen == 10 || seen == 2 || seen == 11 || seen == 8 || seen == -1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
