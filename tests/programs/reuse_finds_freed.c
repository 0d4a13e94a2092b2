// A use after free is found, although the memory may have been given out again.
// mazurka: --reuse-memory
// expect[sc,rc11]: violation=freed line=15
// twin[sc] `free(first);` -> `;`: verified
#include <stdlib.h>

struct pair {
    int a, b;
};

int main(void) {
    struct pair *first = calloc(1, sizeof *first), *second;
    free(first);
    second = malloc(sizeof *second);
    first->b = 1;
    (void)second;
}
