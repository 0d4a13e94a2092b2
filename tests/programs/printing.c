// Printing is not an event.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

static atomic_int x;

static void *writer(void *arg)
{
    puts("writing");
    atomic_store(&x, 1);
    return arg;
}

static void *reader(void *arg)
{
    int seen = atomic_load(&x);
    printf("saw %d, %s, %5.2f\n", seen, "fine", 0.5);
    fprintf(stderr, "%c %lx %%\n", 'c', 255ul);
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
