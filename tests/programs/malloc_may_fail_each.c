// All functions that allocate may fail, each on its own: five calls with two results each are 32 executions.
// mazurka: --malloc-may-fail
// expect[sc,rc11]: verified complete=32 blocked=0
// twin[sc] `reset(&block, 4)` -> `assert(again)`: violation=assertion line=31
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void reset(void **block, int value) {
    free(*block);
    *block = NULL;
    errno = value;
}

int main(void) {
    void *block = calloc(3, 8);
    assert(block ? *(long *)block == 0 : errno == ENOMEM);
    reset(&block, 1);
    block = aligned_alloc(64, 64);
    assert(block ? errno == 1 : errno == ENOMEM);
    reset(&block, 2);
    int error = posix_memalign(&block, 16, 8);
    assert((error == 0 || error == ENOMEM) && (error == 0) == (block != NULL));
    assert(errno == 2); /* it returns the error */
    reset(&block, 3);
    block = strdup("copy");
    assert(block ? strcmp(block, "copy") == 0 : errno == ENOMEM);
    void *again = realloc(block, 8);
    block = again ? again : block;
    reset(&block, 4);
}
