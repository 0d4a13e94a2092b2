// Volatile accesses are plain accesses: not atomic, so C calls this a race.
// expect[sc,tso]: verified complete=3 blocked=0
// expect[pso]: violation=assertion line=23
// expect[rc11,rc11-ra,rc11-cpp11]: violation=race
// Message passing: 2 * 2 - 1; pso may reorder the two stores.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int data, flag;

static void *writer(void *arg)
{
    data = 1;
    flag = 1;
    return arg;
}

static void *reader(void *arg)
{
    int f = flag;
    int d = data;
    assert(d >= f);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
