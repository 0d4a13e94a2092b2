// Thread-specific storage of C11. A value that a destructor sets again is destroyed in the next round.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1
// twin[rc11] `tss_set(storage, &two)` -> `0`: violation=assertion
// twin[rc11] `tss_delete(unused);` -> ``: violation=assertion
#include <assert.h>
#include <threads.h>

static tss_t storage, unused;
static int calls, one, two;

static void destroy(void *value)
{
    calls++;
    if (value == &one)
        tss_set(storage, &two);
}

static void never(void *value)
{
    assert(0);
}

static int run(void *arg)
{
    assert(tss_set(storage, arg) == thrd_success);
    assert(tss_get(storage) == arg);
    tss_set(unused, arg);
    thrd_exit(3);
}

int main(void)
{
    thrd_t t;
    int result = 0;
    assert(tss_create(&storage, destroy) == thrd_success);
    assert(tss_create(&unused, never) == thrd_success);
    tss_delete(unused);
    thrd_create(&t, run, &one);
    thrd_join(t, &result);
    assert(result == 3 && calls == 2);
    return 0;
}
