// Two threads move a point of three numbers, 12 bytes, by compare-exchanges of all of it.
// expect[sc,tso,pso,ra,rc11-ra,rc11]: verified complete=4 blocked=0
// twin[sc,rc11] `!__atomic_compare_exchange(&point, &old, &next, 0, 5, 5)` -> `__atomic_exchange(&point, &next, &old, 5), 0`: violation=assertion
// Either thread is first. The other one reads before or after it, and in the first case fails once.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct point { int x, y, z; } point;

static void *mover(void *arg)
{
    struct point old, next;
    __atomic_load(&point, &old, 5);
    do {
        next = (struct point){old.x + 1, old.y + 2, old.z + 3};
    } while (!__atomic_compare_exchange(&point, &old, &next, 0, 5, 5));
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, mover, NULL);
    pthread_create(&b, NULL, mover, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(point.x == 2 && point.y == 4 && point.z == 6);
    return 0;
}
