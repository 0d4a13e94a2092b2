// Volatile accesses are accesses like others.
// expect[sc]: verified complete=3 blocked=0
// Message passing: 2 * 2 - 1.
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
