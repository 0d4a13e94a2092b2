// Neighbouring bytes are different locations.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static char bytes[4];

static void *left(void *arg)
{
    bytes[1] = 1;
    bytes[1]++;
    return arg;
}

static void *right(void *arg)
{
    bytes[2] = 3;
    bytes[2]--;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(bytes[0] == 0 && bytes[1] == 2 && bytes[2] == 2 && bytes[3] == 0);
    return 0;
}
