// fib_bench(N): two adders that feed each other, and a checker of both sums. Source: SV-COMP; TruSt, table 1.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static atomic_int x = 1, y = 1;

static void *add_to_x(void *arg)
{
    for (int i = 0; i < N; i++) {
        int a = atomic_load_explicit(&x, memory_order_acquire);
        int b = atomic_load_explicit(&y, memory_order_acquire);
        atomic_store_explicit(&x, a + b, memory_order_release);
    }
    return arg;
}

static void *add_to_y(void *arg)
{
    for (int i = 0; i < N; i++) {
        int a = atomic_load_explicit(&x, memory_order_acquire);
        int b = atomic_load_explicit(&y, memory_order_acquire);
        atomic_store_explicit(&y, a + b, memory_order_release);
    }
    return arg;
}

static void *check(void *arg)
{
    atomic_load_explicit(&x, memory_order_acquire);
    atomic_load_explicit(&y, memory_order_acquire);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, add_to_x, NULL);
    pthread_create(&b, NULL, add_to_y, NULL);
    pthread_create(&c, NULL, check, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
