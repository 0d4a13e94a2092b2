// Three threads want a lock that counts who wants it, and the first never leaves: the others take back and try again for ever.
// expect[sc,tso,ra,rc11,rc11-cpp11]: violation=liveness
// twin[sc,tso,ra,rc11] `return arg; // keeps it` -> `atomic_fetch_sub(&wanted, 1); return arg;`: verified complete=6 blocked=0
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wanted;

static void *worker(void *arg)
{
    while (atomic_fetch_add_explicit(&wanted, 1, memory_order_relaxed) != 0) {
        atomic_fetch_sub_explicit(&wanted, 1, memory_order_relaxed);
        while (atomic_load_explicit(&wanted, memory_order_relaxed) != 0)
            ;
    }
    return arg; // keeps it
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
