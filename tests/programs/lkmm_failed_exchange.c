// Store buffering under the kernel's model: smp_mb__after_atomic orders also around a compare-exchange that fails.
// Source: the Linux kernel, Documentation/litmus-tests/atomic/cmpxchg-fail-ordered-1.litmus.
// expect[lkmm]: verified complete=3 blocked=0
// twin[lkmm] `smp_mb__after_atomic();` -> ``: violation=assertion
#include <assert.h>
#include <lkmm.h>
#include <pthread.h>

static int x, y, lock, other;
static int seen_x, seen_y;

static void *first(void *unused)
{
    WRITE_ONCE(x, 1);
    cmpxchg(&lock, 1, 2); // fails: the lock is 0
    smp_mb__after_atomic();
    seen_y = READ_ONCE(y);
    return unused;
}

static void *second(void *unused)
{
    WRITE_ONCE(y, 1);
    cmpxchg(&other, 1, 2);
    smp_mb__after_atomic();
    seen_x = READ_ONCE(x);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(seen_x || seen_y);
}
