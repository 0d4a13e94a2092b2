// Store buffering with moves and mfence, as programs for x86 have it. Of the 4 outcomes one is forbidden.
// expect[sc,tso]: verified complete=3 blocked=0
// expect[rc11]: violation=race
// twin[tso] `mfence` -> `lfence`: violation=assertion
// twin[tso] `mfence` -> ``: violation=assertion
// twin[tso] `mfence` -> `sfence; pause`: violation=assertion
#include <assert.h>
#include <pthread.h>

static int x, y, saw_y, saw_x;

#define STORE(place) __asm__ volatile("movl $1, %0" : "=m"(place))
#define LOAD(to, place) __asm__ volatile("movl %1, %0" : "=r"(to) : "m"(place))

static void *one(void *unused)
{
    (void)unused;
    STORE(x);
    __asm__ volatile("mfence" ::: "memory");
    LOAD(saw_y, y);
    return 0;
}

static void *two(void *unused)
{
    (void)unused;
    STORE(y);
    __asm__ volatile("lock; addl $0, (%%rsp)" ::: "memory", "cc");
    LOAD(saw_x, x);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(saw_y || saw_x);
    return 0;
}
