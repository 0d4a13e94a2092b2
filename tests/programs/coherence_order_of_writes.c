// One reader, two writers of one location. Source: TruSt, section 3.5.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=6 blocked=0
// Two coherence orders, three writes to read from.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *reader(void *arg)
{
    atomic_load(&x);
    return arg;
}

static void *one(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

static void *two(void *arg)
{
    atomic_store(&x, 2);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, one, NULL);
    pthread_create(&c, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
