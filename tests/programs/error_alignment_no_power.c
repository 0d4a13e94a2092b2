// An alignment that is not a power of two has no meaning.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=undefined line=6
#include <stdlib.h>

int main(void) {
    free(aligned_alloc(3, 9));
    return 0;
}
