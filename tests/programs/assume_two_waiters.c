// Two threads that wait for the same flag.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
// Both see the flag in the end.
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *writer(void *arg)
{
    atomic_store(&flag, 1);
    return arg;
}

static void *waiter(void *arg)
{
    __VERIFIER_assume(atomic_load(&flag) == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_create(&c, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
