// An alignment that is not a power of two has no meaning.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=undefined line=7
// twin[sc,tso,rc11] `aligned_alloc(3, 9)` -> `aligned_alloc(8, 16)`: verified complete=1
#include <stdlib.h>

int main(void) {
    free(aligned_alloc(3, 9));
    return 0;
}
