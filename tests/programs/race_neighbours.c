// Plain accesses of different members of a struct, or elements of an array, do not race.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11,rc11-genmc]: verified complete=1 blocked=0
// twin[rc11] `pair.right = 2` -> `pair.left = 2`: violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static struct {
    char left, right;
} pair;
static int cells[2];

static void *first(void *arg)
{
    pair.left = 1;
    cells[0] = 1;
    return arg;
}

static void *second(void *arg)
{
    pair.right = 2;
    cells[1] = 2;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
