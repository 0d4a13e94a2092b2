// Memory that another thread allocated, found by a relaxed read: nothing orders the allocation before the access.
// expect[rc11,rc11-cpp11]: violation=unallocated line=17
// expect[sc,tso,pso]: verified complete=2
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic slot;

static void *make(void *unused) {
    atomic_store_explicit(&slot, malloc(sizeof(int)), memory_order_relaxed);
    return NULL;
}

static void *use(void *unused) {
    int *found = atomic_load_explicit(&slot, memory_order_relaxed);
    if (found) *found = 18;
    return NULL;
}

int main(void) {
    pthread_t maker, user;
    pthread_create(&maker, NULL, make, NULL);
    pthread_create(&user, NULL, use, NULL);
    pthread_join(maker, NULL);
    pthread_join(user, NULL);
    return 0;
}
