// Compound assignments to an atomic_bool: the result is 1 unless it is 0, which clang gets wrong.
// expect[sc,rc11]: verified complete=4 blocked=0
// twin[rc11] `four = 4` -> `four = 8`: violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool seen, other;
static volatile int four = 4;
static volatile double half = 0.5;

static void *mark(void *arg)
{
    seen |= 6 & four;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    assert((other ^= four) == 1);
    assert((other *= four) == 1);
    assert((other <<= 3) == 1);
    assert((other -= 1) == 0);
    assert(--other == 1);
    assert(other-- == 1 && other-- == 0 && other == 1);
    other /= 2;
    assert((other += half) == 1);
    assert((other &= four) == 0);
    pthread_create(&a, NULL, mark, NULL);
    pthread_create(&b, NULL, mark, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen == 1);
    return 0;
}
