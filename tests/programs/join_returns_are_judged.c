// Main only joins; what the threads return is never wrong, whichever they read: four executions.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=4 blocked=0
// twin[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11] `seen < 4` -> `seen != 1`: violation=assertion line=37
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int x, y;

static void *write_x(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

static void *write_y(void *arg)
{
    atomic_store(&y, 1);
    return arg;
}

static void *read_both(void *arg)
{
    return (void *)(intptr_t)(atomic_load(&x) * 2 + atomic_load(&y));
}

int main(void)
{
    pthread_t a, b, c;
    void *seen;
    pthread_create(&a, NULL, write_x, NULL);
    pthread_create(&b, NULL, write_y, NULL);
    pthread_create(&c, NULL, read_both, NULL);
    pthread_join(c, &seen);
    assert((intptr_t)seen < 4);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
