// Message passing: the reader looks at the data only after it has seen the flag. Source: thesis, section 1.
// expect[sc,tso,pso,rc11,rc11-ra,rc11-cpp11]: verified complete=2 blocked=0
// The reader sees no flag, or the flag and then the data: two executions.
// twin[sc,tso] `if (atomic_load_explicit(&ready, memory_order_acquire))` -> `if (1)`: violation=assertion
// twin[rc11] `if (atomic_load_explicit(&ready, memory_order_acquire))` -> `if (1)`: violation=race
// twin[rc11] `memory_order_release` -> `memory_order_relaxed`: violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int ready;

static void *writer(void *arg)
{
    (void)arg;
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(data == 42);
    return NULL;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
