// Store buffering: two threads raise their flags, then look at the other's. Can both miss it? Source: Dekker's idea.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=3 blocked=0
// expect[ra,rc11-ra]: violation=assertion
// Each thread sees 0 or 1; both seeing 0 needs a machine that delays stores. So 2 * 2 - 1 executions.
// twin[tso,pso,rc11,rc11-cpp11] `ORDER memory_order_seq_cst` -> `ORDER memory_order_relaxed`: violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define ORDER memory_order_seq_cst

static atomic_int x, y;
static int saw_y, saw_x;

static void *left(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 1, ORDER);
    saw_y = atomic_load_explicit(&y, ORDER);
    return NULL;
}

static void *right(void *arg)
{
    (void)arg;
    atomic_store_explicit(&y, 1, ORDER);
    saw_x = atomic_load_explicit(&x, ORDER);
    return NULL;
}

int main(void)
{
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(saw_x || saw_y);
    return 0;
}
