// A final write may follow others only if they happen before it, and nothing may follow it.
// expect[sc,tso,pso,ra,rc11,rc11-cpp11]: verified complete=2 blocked=0
// The reader sees the old value or the final one.
// twin[sc,tso,pso,ra,rc11] `// again` -> `atomic_store(&x, 3);`: violation=annotation
// twin[rc11] `pthread_create(&a, NULL, writer, NULL); // after` -> `pthread_create(&a, NULL, writer, NULL); atomic_store(&x, 4);`: violation=annotation
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *writer(void *arg)
{
    __VERIFIER_final_write(atomic_store_explicit(&x, 2, memory_order_release));
    // again
    return arg;
}

static void *reader(void *arg)
{
    (void)atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    atomic_store(&x, 1);
    pthread_create(&b, NULL, reader, NULL);
    pthread_create(&a, NULL, writer, NULL); // after
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
