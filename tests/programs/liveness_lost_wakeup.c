// Whoever closes first keeps the setter from waking the waiter, who waits for ever.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=liveness line=17
// twin[sc,tso,rc11] `if (!atomic_load_explicit(&closed, memory_order_acquire))` -> ``: verified
// twin[sc,rc11] `; // waits` -> `if (atomic_load(&closed)) break;`: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag, closed;

static void *closer(void *arg) { atomic_store(&closed, 1); return arg; }

static void *setter(void *arg) { if (!atomic_load_explicit(&closed, memory_order_acquire)) atomic_store(&flag, 1); return arg; }

static void *waiter(void *arg)
{
    while (!atomic_load(&flag))
        ; // waits
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, closer, NULL);
    pthread_create(&t[1], NULL, setter, NULL);
    pthread_create(&t[2], NULL, waiter, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
