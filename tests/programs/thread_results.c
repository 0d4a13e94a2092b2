// Arguments go in through create, results come out through join.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static void *square(void *arg)
{
    intptr_t n = (intptr_t)arg;
    return (void *)(n * n);
}

int main(void)
{
    pthread_t t[3];
    intptr_t sum = 0;
    for (intptr_t i = 0; i < 3; i++)
        assert(pthread_create(&t[i], NULL, square, (void *)(i + 2)) == 0);
    for (int i = 0; i < 3; i++) {
        void *result;
        assert(pthread_join(t[i], &result) == 0);
        sum += (intptr_t)result;
    }
    assert(sum == 4 + 9 + 16);
    return 0;
}
