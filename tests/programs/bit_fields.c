// Bit-fields share a word: a mutex keeps both updates.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2
// One execution an order of the critical sections.
// twin[sc,tso] `&locks[0]` -> `&locks[side]`: violation=assertion
// twin[rc11] `&locks[0]` -> `&locks[side]`: violation=race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static struct {
    unsigned left : 3;
    unsigned right : 5;
} bits;

static void set(int side)
{
    pthread_mutex_t *lock = &locks[0];
    pthread_mutex_lock(lock);
    if (side)
        bits.right = 17;
    else
        bits.left = 5;
    pthread_mutex_unlock(lock);
}

static void *left(void *arg)
{
    set(0);
    return arg;
}

static void *right(void *arg)
{
    set(1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(bits.left == 5 && bits.right == 17);
    return 0;
}
