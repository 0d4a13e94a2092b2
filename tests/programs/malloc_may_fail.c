// Each allocation may fail: a program that uses the result without looking at it is found.
// mazurka: --malloc-may-fail
// expect[sc,rc11]: violation=unallocated line=12
// twin[sc] `if (0)` -> `if (!list)`: verified complete=3
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    int *list = malloc(2 * sizeof *list), *longer;
    if (0) return errno != ENOMEM;
    list[1] = 7;
    errno = 0;
    longer = realloc(list, 3 * sizeof *list);
    if (!longer) {
        assert(errno == ENOMEM && list[1] == 7); /* the old block is still there */
        free(list);
        return 0;
    }
    assert(longer[1] == 7);
    free(longer);
}
