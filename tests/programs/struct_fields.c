// Fields of one struct are different locations.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct {
    char tag;
    int left;
    long right;
} shared = {'s', 1, 2};

static void *left(void *arg)
{
    shared.left += 10;
    return arg;
}

static void *right(void *arg)
{
    shared.right += shared.tag == 's' ? 20 : 0;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared.left == 11 && shared.right == 22);
    return 0;
}
