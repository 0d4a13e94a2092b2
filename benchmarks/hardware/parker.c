// parker(N): a thread parks until there is news, at most N times; another one has news and unparks it: permit, mutex
// and early return as in a JVM's parker, of HMC's table 2. Sources: the JDK's bug 6822370; Abdulla et al., TACAS 2015.
// Here the permit is taken by an exchange that acquires, as after the fix. A wait may end at once for no reason.
#include "shared.h"

static atomic_int permit, news;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

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
    for (int look = 0; look < N && !load(&news, relaxed); look++)
        if (park())
            assert(load(&news, relaxed) == 1);
    return arg;
}

static void *unparker(void *arg)
{
    store(&news, 1, relaxed);
    pthread_mutex_lock(&mutex);
    store(&permit, 1, release);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    run_all((void *(*const[])(void *)){parked, unparker}, 2);
    return 0;
}
