// Message passing with relaxed accesses and fences: the fences synchronise. Source: C11, 7.17.4.
// expect[sc,tso,pso,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified complete=2 blocked=0
// twin[rc11,rc11-ra,rc11-cpp11,rc11-genmc] `atomic_thread_fence(memory_order_release);` -> `(void)0;`: violation=race
// twin[rc11,rc11-ra,rc11-cpp11,rc11-genmc] `atomic_thread_fence(memory_order_acquire);` -> `(void)0;`: violation=race
// twin[pso] `atomic_thread_fence(memory_order_release);` -> `(void)0;`: violation=assertion
// twin[tso] `atomic_thread_fence(memory_order_release);` -> `(void)0;`: verified complete=2
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
    atomic_thread_fence(memory_order_release);
    STORE(flag, 1);
    return arg;
}

static void *reader(void *arg)
{
    if (LOAD(flag)) {
        atomic_thread_fence(memory_order_acquire);
        assert(data == 1);
    }
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
