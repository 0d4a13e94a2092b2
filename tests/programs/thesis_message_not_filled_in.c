// The shape of the flat combiner's bug (thesis §9.2.3.4): a message is handed over by relaxed accesses, and who gets it reads a
// link that was never written, as far as it can see.
// expect[pso,rc11,rc11-cpp11]: violation=uninitialized line=30
// expect[sc,tso]: verified complete=2
// twin[rc11,rc11-cpp11] `PUT = memory_order_relaxed, GET = memory_order_relaxed` -> `PUT = memory_order_release, GET = memory_order_acquire`: verified complete=2
// twin[sc,tso,rc11] `    atomic_store_explicit(&mine->next, mine, memory_order_relaxed);` -> ``: violation=uninitialized line=30
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { PUT = memory_order_relaxed, GET = memory_order_relaxed };

struct message { struct message *_Atomic next; };

static struct message *_Atomic queue;

static void *send(void *arg)
{
    struct message *mine = arg;
    atomic_store_explicit(&mine->next, mine, memory_order_relaxed);
    atomic_store_explicit(&queue, mine, PUT);
    return NULL;
}

static void *combine(void *arg)
{
    struct message *first = atomic_load_explicit(&queue, GET);
    if (first) {
        assert(atomic_load_explicit(&first->next, memory_order_acquire) == first);
    }
    return arg;
}

int main(void)
{
    pthread_t one, two;
    struct message *message = malloc(sizeof *message);
    pthread_create(&one, NULL, send, message);
    pthread_create(&two, NULL, combine, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(message);
    return 0;
}
