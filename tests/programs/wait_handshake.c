// Two threads take turns: each sets its own flag and waits for the other's.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// If both wait first, nobody sets a flag.
// twin[sc,tso,rc11] `await(&request);` -> `await(&request); await(&thanks);`: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int request, answer, thanks;
static int data;

static void await(atomic_int *flag)
{
    while (!atomic_load_explicit(flag, memory_order_acquire))
        ;
}

static void *client(void *arg)
{
    data = 1;
    atomic_store_explicit(&request, 1, memory_order_release);
    await(&answer);
    assert(data == 2);
    atomic_store_explicit(&thanks, 1, memory_order_release);
    return arg;
}

static void *server(void *arg)
{
    await(&request);
    data++;
    atomic_store_explicit(&answer, 1, memory_order_release);
    await(&thanks);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, client, NULL);
    pthread_create(&b, NULL, server, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
