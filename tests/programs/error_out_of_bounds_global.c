// An index one past the end of a global array: the neighbour is not part of it.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=unallocated line=20
// twin[sc,rc11] `&index, 2` -> `&index, 1`: verified complete=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int cells[2], neighbour[2];
static atomic_int index;

static void *writer(void *arg)
{
    atomic_store(&index, 2);
    return arg;
}

static void *reader(void *arg)
{
    cells[atomic_load(&index)] = 7;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(neighbour[0] == 0);
    return 0;
}
