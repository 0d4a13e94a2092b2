// A variable that only one way through the function sets, and whose address nobody takes: it never is in memory.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=uninitialized line=17
// twin[sc,rc11] `int seen;` -> `int seen = 1;`: verified complete=2
// twin[sc,rc11] `assert(seen == 1);` -> `if (found) assert(seen == 1);`: verified complete=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *reader(void *arg)
{
    int seen;
    int found = atomic_load(&flag);
    if (found) seen = 1;
    assert(seen == 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    atomic_store(&flag, 1);
    pthread_join(t, NULL);
    return 0;
}
