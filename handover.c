
#include <pthread.h>
#include <stdatomic.h>
int value;
atomic_int ready;
void *give(void *a) {
    value = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, give, 0);
    int seen = atomic_load_explicit(&ready, memory_order_acquire) ? value : 42;
    return pthread_join(t, 0) || seen != 42;
}
