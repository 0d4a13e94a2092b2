// An integer of 128 bits is added to and read as a whole; in the end somebody reads one half.
// Two orders of the additions, and the first read sees none, one or both of them.
// expect[sc,tso,pso,ra,rc11-ra,rc11]: verified complete=6 blocked=0
// twin[sc,tso,rc11] `atomic_fetch_add_explicit(&sum.both, step, relaxed)` -> `(sum.half[0]++, sum.half[1]++)`: violation=assertion line=32
// twin[rc11] `atomic_fetch_add_explicit(&sum.both, step, relaxed)` -> `(*(wide *)&sum.both += step)`: violation=race line=22
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define relaxed memory_order_relaxed
typedef unsigned __int128 wide;
static union {
    _Atomic wide both;
    _Atomic uint64_t half[2];
} sum;

static void *adder(void *arg)
{
    wide step = ((wide)1 << 64) + 1;
    atomic_fetch_add_explicit(&sum.both, step, relaxed);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, adder, NULL);
    pthread_create(&b, NULL, adder, NULL);
    wide seen = atomic_load_explicit(&sum.both, relaxed);
    assert((uint64_t)seen == (uint64_t)(seen >> 64));
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load_explicit(&sum.half[1], relaxed) == 2);
    return 0;
}
