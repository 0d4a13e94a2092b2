// Storing a bit-field fetches its neighbours, which need not have been written.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1
// twin[sc,tso,rc11] `flags->left = 5;` -> `flags->left++;`: violation=uninitialized line=18
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct bits {
    unsigned left : 3;
    unsigned right : 5;
};

static struct bits *flags;

static void *set(void *arg)
{
    flags = malloc(sizeof *flags);
    flags->left = 5;
    flags->right = 17;
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, set, NULL);
    pthread_join(a, NULL);
    assert(flags->left == 5 && flags->right == 17);
    return 0;
}
