// Two readers disagree about the order of two writes (IRIW). Source: Herding cats, figure 20.
// expect[sc,tso,pso]: verified complete=15 blocked=0
// expect[ra,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified complete=16 blocked=0
// Four reads of two values each. Store buffers are emptied into one memory, so all agree on it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define STORE(place, value) atomic_store_explicit(&place, value, memory_order_relaxed)
#define LOAD(place) atomic_load_explicit(&place, memory_order_relaxed)

static atomic_int x, y;

static void *write_x(void *arg)
{
    STORE(x, 1);
    return arg;
}

static void *write_y(void *arg)
{
    STORE(y, 1);
    return arg;
}

static void *read_xy(void *arg)
{
    (void)LOAD(x);
    (void)LOAD(y);
    return arg;
}

static void *read_yx(void *arg)
{
    (void)LOAD(y);
    (void)LOAD(x);
    return arg;
}

int main(void)
{
    pthread_t a, b, c, d;
    pthread_create(&a, NULL, write_x, NULL);
    pthread_create(&b, NULL, write_y, NULL);
    pthread_create(&c, NULL, read_xy, NULL);
    pthread_create(&d, NULL, read_yx, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    pthread_join(d, NULL);
    return 0;
}
