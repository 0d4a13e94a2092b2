// A constant index far outside a local array, passed to a function that accesses it.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=1
// twin[rc11] `f(&p[1])` -> `f(&p[1000000000])`: violation=unallocated line=8
// twin[rc11] `f(&p[1])` -> `f(&p[-1000000000])`: violation=unallocated line=8
// twin[rc11] `f(&p[1])` -> `f(&p[63])`: violation=unallocated line=8
#include <assert.h>

__attribute__((noinline)) static void f(int *element) { *element = 7; }

int main(void) {
    int p[2] = {0};
    f(&p[1]);
    assert(p[1] == 7);
    return 0;
}
