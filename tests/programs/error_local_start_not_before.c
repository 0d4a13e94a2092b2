// A local variable that is published by a relaxed store: nothing orders the start of its life before the access.
// The handshake keeps it alive until the other thread is done.
// expect[rc11,rc11-cpp11]: violation=unallocated line=25
// expect[sc,tso,pso]: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_assume(int);

static _Atomic(atomic_int *) slot;
static atomic_int done;

static void *publish(void *unused) {
    atomic_int local;
    atomic_store_explicit(&slot, &local, memory_order_relaxed);
    __VERIFIER_assume(atomic_load_explicit(&done, memory_order_acquire));
    return NULL;
}

static void *use(void *unused) {
    atomic_int *found = atomic_load_explicit(&slot, memory_order_relaxed);
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
