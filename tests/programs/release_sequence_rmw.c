// A relaxed increment of another thread continues the release sequence. Source: C11, 5.1.2.4.
// expect[sc,tso,pso,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified
// twin[rc11,rc11-cpp11,rc11-genmc] `atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed)` -> `STORE(flag, 2)`: violation=race
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
    return arg;
}

static void *adder(void *arg)
{
    if (LOAD(flag) == 1)
        atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

static void *reader(void *arg)
{
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        assert(data == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, adder, NULL);
    pthread_create(&c, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
