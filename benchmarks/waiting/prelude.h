// What all programs here need.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif

#define load(place, order) atomic_load_explicit(place, memory_order_##order)
#define store(place, value, order) atomic_store_explicit(place, value, memory_order_##order)
#define swap(place, value, order) atomic_exchange_explicit(place, value, memory_order_##order)
#define add(place, value, order) atomic_fetch_add_explicit(place, value, memory_order_##order)
#define replace(place, old, new, order, failure) \
    atomic_compare_exchange_strong_explicit(place, old, new, memory_order_##order, memory_order_##failure)
