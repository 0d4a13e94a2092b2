// A local variable that is published by a release store and found by an acquire load lives when it is accessed.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified
// twin[rc11,rc11-cpp11] `&local, memory_order_release` -> `&local, memory_order_relaxed`: violation=unallocated
// twin[rc11,rc11-cpp11] `&slot, memory_order_acquire` -> `&slot, memory_order_relaxed`: violation=unallocated
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_assume(int);

static _Atomic(atomic_int *) slot;
static atomic_int done;

static void *publish(void *unused) {
    atomic_int local;
    atomic_store_explicit(&slot, &local, memory_order_release);
    __VERIFIER_assume(atomic_load_explicit(&done, memory_order_acquire));
    return NULL;
}

static void *use(void *unused) {
    atomic_int *found = atomic_load_explicit(&slot, memory_order_acquire);
    __VERIFIER_assume(found != NULL);

    atomic_store_explicit(found, 18, memory_order_relaxed);
    atomic_store_explicit(&done, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t publisher, user;
    pthread_create(&publisher, NULL, publish, NULL);
    pthread_create(&user, NULL, use, NULL);
    pthread_join(publisher, NULL);
    pthread_join(user, NULL);
    return 0;
}
