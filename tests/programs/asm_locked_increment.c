// Two threads increment a counter with a locked instruction, and see who was first by the other's xadd.
// Two orders of each of the two locations, which the threads access in the same order: 2 * 2 executions.
// expect[sc,tso,rc11]: verified complete=4 blocked=0
// twin[sc,tso] `lock; incl` -> `incl`: violation=assertion
// twin[rc11] `lock; incl` -> `incl`: violation=race
#include <assert.h>
#include <pthread.h>

static int counter, turns;

static int fetch_and_add(int *place, int by)
{
    __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(by), "+m"(*place) : : "memory", "cc");
    return by;
}

static void *run(void *unused)
{
    (void)unused;
    __asm__ __volatile__("lock; incl %0" : "+m"(counter) : : "cc");
    int turn = fetch_and_add(&turns, 5);
    assert(turn == 0 || turn == 5);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2 && turns == 10);
    return 0;
}
