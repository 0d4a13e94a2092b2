// Allocations that no machine has room for fail, and posix_memalign reports a wrong alignment.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=1
// twin[rc11] `(void)0` -> `aligned_alloc(3, 9)`: violation=undefined
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    volatile size_t huge = -2, quarter = (size_t)1 << 62;
    void *block = NULL;
    assert(malloc(huge) == NULL && malloc(-2) == NULL);
    assert(calloc(quarter, 4) == NULL && calloc((size_t)1 << 62, 4) == NULL);
    assert(posix_memalign(&block, 24, 8) == EINVAL && posix_memalign(&block, 4, 8) == EINVAL);
    assert(posix_memalign(&block, 64, huge) == ENOMEM && block == NULL);
    assert(posix_memalign(&block, 64, 8) == 0 && block != NULL);
    *(long *)block = 5;
    assert(realloc(block, huge) == NULL && *(long *)block == 5);
    free(block);
    (void)0;
    return 0;
}
