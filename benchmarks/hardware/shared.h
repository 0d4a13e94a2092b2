// What the programs here share. N is a program's parameter; with -DOPT, data structures have the weaker orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 1
#endif

// Orders may be names that a program defines.
#define order_named(name) memory_order_##name
#define order_of(name) order_named(name)
#define load(place, order) atomic_load_explicit(place, order_of(order))
#define store(place, value, order) atomic_store_explicit(place, value, order_of(order))
#define add(place, value, order) atomic_fetch_add_explicit(place, value, order_of(order))
#define replace(place, old, new, order, failure) \
    atomic_compare_exchange_strong_explicit(place, old, new, order_of(order), order_of(failure))
#define fence(order) atomic_thread_fence(order_of(order))

// Runs some functions as threads, and waits for all of them.
static void run_all(void *(*const functions[])(void *), int count)
{
    pthread_t threads[4];
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, functions[i], NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}
