// parker(N): a thread parks N times, another unparks it N times: permit, mutex and early return as in a JVM's parker.
// Sources: the JDK's bug 6822370; Abdulla et al., TACAS 2015. Here the permit is taken by an exchange, as after the fix.
// A wait may end at once for no reason, so that no execution waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif

static atomic_int permit, news;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void unpark(void)
{
    pthread_mutex_lock(&mutex);
    atomic_store_explicit(&permit, 1, memory_order_release);
    pthread_mutex_unlock(&mutex);
}

// Whether a permit was there.
static int park(void)
{
    if (atomic_exchange_explicit(&permit, 0, memory_order_acquire))
        return 1;
    if (pthread_mutex_trylock(&mutex) != 0)
        return 0;
    int found = atomic_exchange_explicit(&permit, 0, memory_order_acquire);
    pthread_mutex_unlock(&mutex);
    return found;
}

static void *parked(void *arg)
{
    int permits = 0;
    for (int i = 0; i < N; i++) {
        permits += park();
        assert(atomic_load_explicit(&news, memory_order_relaxed) >= permits);
    }
    return arg;
}

static void *unparker(void *arg)
{
    for (int i = 1; i <= N; i++) {
        atomic_store_explicit(&news, i, memory_order_relaxed);
        unpark();
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, parked, NULL);
    pthread_create(&b, NULL, unparker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
