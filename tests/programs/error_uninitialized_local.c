// A thread reads a local of main that main never set.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=uninitialized line=10
// twin[sc,rc11] `int local;` -> `int local = 0;`: verified complete=1
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *reader(void *arg)
{
    assert(*(int *)arg == 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int local;
    pthread_create(&t, NULL, reader, &local);
    pthread_join(t, NULL);
    return 0;
}
