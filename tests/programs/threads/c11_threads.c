// Threads and mutexes of C11: results of threads are numbers, and a recursive mutex may be taken again.
// Either thread may be the first to come to the flag, and either the first to take the mutex.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=4 blocked=0
// twin[rc11] `mtx_recursive` -> `mtx_plain`: violation=deadlock
// twin[rc11] `mtx_lock(&mutex); /* outer */` -> ``: violation=assertion
// twin[rc11] `thrd_exit(7)` -> `thrd_exit(8)`: violation=assertion
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static once_flag flag = ONCE_FLAG_INIT;
static int counter, prepared;

static void prepare(void)
{
    prepared++;
}

static int add(void *arg)
{
    call_once(&flag, prepare);
    assert(mtx_lock(&mutex) == thrd_success); /* outer */
    mtx_lock(&mutex); /* outer */
    counter += *(int *)arg;
    mtx_unlock(&mutex);
    assert(mtx_unlock(&mutex) == thrd_success);
    if (*(int *)arg == 1)
        thrd_exit(7);
    return -1;
}

int main(void)
{
    thrd_t a;
    int one = 1, two = 2, result = 0;
    assert(mtx_init(&mutex, mtx_plain | mtx_recursive) == thrd_success);
    assert(thrd_create(&a, add, &one) == thrd_success);
    assert(!thrd_equal(a, thrd_current()));
    assert(add(&two) == -1);
    thrd_yield();
    thrd_sleep(&(struct timespec){0, 1}, 0);
    assert(thrd_join(a, &result) == thrd_success && result == 7);
    assert(counter == 3 && prepared == 1);
    mtx_destroy(&mutex);
    return 0;
}
