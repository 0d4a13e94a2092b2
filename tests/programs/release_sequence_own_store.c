// A relaxed store follows a release store of the same thread: C++11 counts it as part of the release sequence, C++20
// does not. Source: P0982R1.
// expect[rc11-cpp11]: verified
// expect[rc11,rc11-ra]: violation=race line=29
// expect[sc,tso,pso]: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define STORE(place, value) atomic_store_explicit(&place, value, memory_order_relaxed)
#define LOAD(place) atomic_load_explicit(&place, memory_order_relaxed)

static int data;
static atomic_int flag;

static void *writer(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    STORE(flag, 2);
    return arg;
}

static void *reader(void *arg)
{
    int seen = atomic_load_explicit(&flag, memory_order_acquire);
    if (seen == 2)
        assert(data == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
