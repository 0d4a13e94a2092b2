// A counting semaphore: waiting takes one away as soon as there is one.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// Two wait, and only one posts.
// twin[sc,tso,rc11] `atomic_fetch_add_explicit(&count, 2, memory_order_release);` -> `atomic_fetch_add_explicit(&count, 1, memory_order_release);`: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count;
static int message;

static void *poster(void *arg)
{
    message = 1;
    atomic_fetch_add_explicit(&count, 2, memory_order_release);
    return arg;
}

static void *waiter(void *arg)
{
    int seen = atomic_load_explicit(&count, memory_order_relaxed);
    while (seen == 0 || !atomic_compare_exchange_strong_explicit(&count, &seen, seen - 1, memory_order_acquire, memory_order_relaxed))
        seen = atomic_load_explicit(&count, memory_order_relaxed);
    assert(message == 1);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, poster, NULL);
    pthread_create(&t[1], NULL, waiter, NULL);
    pthread_create(&t[2], NULL, waiter, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
