// Write-to-read causality: what one thread passes on, a third one sees too. Source: the litmus test WRC.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified complete=7 blocked=0
// Three reads with two choices each; only 1, 1, 0 is cyclic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int got_x, got_y, then_x;

static void *writer(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

static void *messenger(void *arg)
{
    got_x = atomic_load(&x);
    atomic_store(&y, 1);
    return arg;
}

static void *reader(void *arg)
{
    got_y = atomic_load(&y);
    then_x = atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, messenger, NULL);
    pthread_create(&c, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(!(got_x && got_y && !then_x));
    return 0;
}
