// A local write is read by another thread only if it happens before that.
// expect[sc,tso,pso,ra,rc11,rc11-cpp11]: verified complete=2 blocked=0
// The reader finds the node, or not.
// twin[rc11] memory_order_release->memory_order_relaxed: violation=annotation
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    atomic_int value;
};

static struct node only;
static _Atomic(struct node *) head;

static void *writer(void *arg)
{
    __VERIFIER_local_write(atomic_store_explicit(&only.value, 1, memory_order_relaxed));
    __VERIFIER_local_write(only.value, 2);
    atomic_store_explicit(&head, &only, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    struct node *found = atomic_load_explicit(&head, memory_order_acquire);
    if (found != NULL)
        (void)atomic_load_explicit(&found->value, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
