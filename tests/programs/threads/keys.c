// Each thread has data of its own under a key, which is destroyed when the thread ends: by returning, or by pthread_exit.
// The two threads free two objects, and add to a counter in two orders. Main's data is not destroyed: it ends the program.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
// twin[rc11] `pthread_setspecific(key, data);` -> ``: violation=unallocated
// twin[rc11] `free(data);` -> `free(data); free(data);`: violation=double-free
// twin[rc11] `pthread_key_create(&key, destroy)` -> `pthread_key_create(&key, 0)`: violation=assertion
// twin[rc11] `pthread_create(&a, 0, returns, 0);` -> `pthread_create(&a, 0, start, 0);`: verified complete=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key, other;
static atomic_int destroyed;
static void *(*volatile start)(void *);

static void destroy(void *data)
{
    assert(pthread_getspecific(key) == 0);
    assert(*(int *)data == 7);
    free(data);
    atomic_fetch_add_explicit(&destroyed, 1, memory_order_relaxed);
}

static void use(void)
{
    int *data = malloc(sizeof *data);
    assert(pthread_getspecific(key) == 0);
    pthread_setspecific(key, data);
    *(int *)pthread_getspecific(key) = 7;
}

static void *returns(void *arg)
{
    use();
    return arg;
}

static void *exits(void *arg)
{
    use();
    pthread_exit(arg);
}

int main(void)
{
    pthread_t a, b;
    int mine = 1;
    start = returns;
    assert(pthread_key_create(&key, destroy) == 0 && pthread_key_create(&other, destroy) == 0);
    assert(key != other);
    pthread_key_delete(other);
    pthread_setspecific(key, &mine);
    pthread_create(&a, 0, returns, 0);
    pthread_create(&b, 0, exits, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(destroyed == 2);
    assert(pthread_getspecific(key) == &mine && pthread_getspecific(other) == 0);
    return 0;
}
