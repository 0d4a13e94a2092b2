// W+R-LOOP of the thesis (§9.2.3.4): the only write that the loop can see does not end it.
// expect[sc,tso,pso,rc11,rc11-cpp11]: violation=liveness line=16
// twin[sc,rc11] `== 1` -> `== 0`: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *writer(void *arg) { atomic_store(&x, 1); return arg; }

static void *reader(void *arg)
{
    int seen;
    do
        seen = atomic_load(&x);
    while (seen == 1);
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
