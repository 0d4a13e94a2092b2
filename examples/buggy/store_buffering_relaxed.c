// Two threads raise their flags and then look at the other's, with relaxed accesses: on a machine that delays
// stores, both may enter. Source: Dekker's idea, without his fences.
// expect[sc]: verified complete=3 blocked=0
// expect[tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=assertion line=41
// twin[tso,pso,rc11,rc11-cpp11] `FENCE (void)0` -> `FENCE atomic_thread_fence(memory_order_seq_cst)`: verified complete=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define FENCE (void)0
#define RAISE(flag) atomic_store_explicit(&flag, 1, memory_order_relaxed)
#define RAISED(flag) atomic_load_explicit(&flag, memory_order_relaxed)

static atomic_int left_flag, right_flag;
static int left_enters, right_enters;

static void *left(void *arg)
{
    RAISE(left_flag);
    FENCE;
    left_enters = !RAISED(right_flag);
    return arg;
}

static void *right(void *arg)
{
    RAISE(right_flag);
    FENCE;
    right_enters = !RAISED(left_flag);
    return arg;
}

int main(void)
{
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(!(left_enters && right_enters));
    return 0;
}
