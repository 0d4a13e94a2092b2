// Three threads exchange a token: exactly one finds it. Source: the litmus test xchg3.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: verified complete=6 blocked=0
// One execution an order: 3!.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int token = 1;
static atomic_int winners;

static void *taker(void *arg)
{
    if (atomic_exchange(&token, 0))
        atomic_store(&winners, atomic_load(&winners) + 1);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, taker, NULL);
    pthread_create(&b, NULL, taker, NULL);
    pthread_create(&c, NULL, taker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(atomic_load(&winners) == 1);
    return 0;
}
