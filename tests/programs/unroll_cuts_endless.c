// A loop without an exit, or whose exit is never taken, has no constant number of iterations: the bound cuts it.
// mazurka: --unroll 2
// expect[sc,tso,pso,rc11,rc11-cpp11]: bounded complete=0
// twin[sc] `while (go)` -> `for (;;)`: bounded complete=0
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *writer(void *arg)
{
    int go = 1;
    while (go)
        atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
