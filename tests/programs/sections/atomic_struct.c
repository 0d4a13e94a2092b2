// An atomic struct of 24 bytes is stored and loaded as a whole.
// expect[sc,tso,pso,ra,rc11-ra,rc11]: verified complete=6 blocked=0
// twin[sc] `_Atomic struct` -> `struct`: violation=assertion
// twin[rc11] `_Atomic struct` -> `struct`: violation=race
// Two loads of three values, in increasing order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct range { long first, last, step; };
static _Atomic struct range range;

static void *writer(void *arg)
{
    range = (struct range){1, 11, 1};
    range = (struct range){2, 12, 2};
    return arg;
}

static void *reader(void *arg)
{
    struct range one = range, two = range;
    assert(one.step == one.first && one.last == 10 * (one.first > 0) + one.first);
    assert(two.step == two.first && one.first <= two.first);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
