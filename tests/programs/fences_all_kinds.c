// Every fence of stdatomic.h, and the signal fence that concerns the compiler only.
// expect[sc,tso,pso,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified complete=3 blocked=0
// Message passing: 2 * 2 - 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *left(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    atomic_thread_fence(memory_order_acq_rel);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return arg;
}

static void *right(void *arg)
{
    int flag = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    atomic_thread_fence(memory_order_relaxed);
    int data = atomic_load_explicit(&x, memory_order_relaxed);
    assert(data >= flag);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
