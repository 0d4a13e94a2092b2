// Rounds that add and take back are not all the same for who reads in between: here two of them are needed.
// mazurka: --unroll 3
// expect[sc,tso,ra,rc11,rc11-cpp11]: violation=assertion line=30
// The second thread sees 1, 0 and 1 before the first may leave its loop.
// twin[sc,tso,ra,rc11] `third == 1` -> `third == 2`: bounded
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, stop;

static void *flicker(void *arg)
{
    for (;;) {
        atomic_fetch_add(&x, 1);
        if (atomic_load(&stop))
            break;
        atomic_fetch_sub(&x, 1);
    }
    return arg;
}

static void *watch(void *arg)
{
    int first = atomic_load(&x);
    int second = atomic_load(&x);
    int third = atomic_load(&x);
    if (first == 1 && second == 0)
        assert(!(third == 1));
    atomic_store(&stop, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, flicker, NULL);
    pthread_create(&b, NULL, watch, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
