// Freed memory is given out again for the same size only, at most two blocks wait, and new memory is always possible.
// mazurka: --reuse-memory
// expect[sc,rc11]: verified
// twin[sc] `#define SAME 0` -> `#define SAME 1`: violation=assertion line=21
// twin[sc] `#define NEW 0` -> `#define NEW 1`: violation=assertion line=22
// twin[sc] `#define SECOND 0` -> `#define SECOND 1`: violation=assertion line=23
#include <assert.h>
#include <stdlib.h>
#define SAME 0
#define NEW 0
#define SECOND 0

int main(void) {
    char *first = malloc(8), *second = malloc(8), *other = malloc(16);
    free(first);
    free(second);
    free(other);
    char *larger = malloc(24), *again = malloc(8), *next = malloc(8);
    assert(larger != first && larger != second && larger != other);
    assert(again != other && again != next);
    if (SAME) assert(again != first);
    if (NEW) assert(again == first || again == second);
    if (SECOND) assert(again != second || next != first);
}
