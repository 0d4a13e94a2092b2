// A wait loop needs no bound: a round that reads 0 changes nothing, and is not repeated.
// expect[sc,tso,pso,ra,rc11,rc11-cpp11]: verified complete=1 blocked=0
// The waiter sees the flag in the end. It never reads the message before.
// twin[rc11] memory_order_release->memory_order_relaxed: violation=race
// twin[rc11] `while (!atomic_load` -> `while (0 && !atomic_load`: violation=race
// twin[sc,tso,ra] `while (!atomic_load` -> `while (0 && !atomic_load`: violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int message;
static atomic_int flag;

static void *writer(void *arg)
{
    message = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

static void *waiter(void *arg)
{
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        ;
    assert(message == 42);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
