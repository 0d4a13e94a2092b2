// A CLH lock: each thread waits at the node of its predecessor.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// A thread that waits at its own node, which nobody else releases.
// twin[sc,rc11] `before->held, memory_order_acquire` -> `me->held, memory_order_acquire`: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    atomic_int held;
};

static struct node nodes[3];
static _Atomic(struct node *) tail = &nodes[2];
static int counter;

static void *thread(void *arg)
{
    struct node *me = &nodes[(long)arg];
    atomic_store_explicit(&me->held, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    while (atomic_load_explicit(&before->held, memory_order_acquire))
        ;
    counter++;
    atomic_store_explicit(&me->held, 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    return 0;
}
