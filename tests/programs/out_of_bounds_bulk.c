// Fills and copies up to the end of a local array, and over it.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=1
// twin[rc11] `memset(bytes, 1, 8)` -> `memset(bytes, 1, 9)`: violation=unallocated line=18
// twin[rc11] `memcpy(copy, bytes, 8)` -> `memcpy(copy, bytes, 9)`: violation=unallocated line=19
// twin[rc11] `memcpy(large, copy, 8)` -> `memcpy(large, copy, 9)`: violation=unallocated line=20
// twin[rc11] `memset(copy + 1, 2, length - 1)` -> `memset(copy + 1, 2, length)`: violation=unallocated line=21
// twin[rc11] `memcpy(bytes, large, length)` -> `memcpy(bytes, large, length + 1)`: violation=unallocated line=22
// twin[rc11] `memmove(bytes + 2, bytes, 6)` -> `memmove(bytes + 2, bytes, 7)`: violation=unallocated line=23
#include <assert.h>
#include <stddef.h>
#include <string.h>

int main(void) {
    char bytes[8], copy[8], large[100];
    volatile size_t eight = 8;
    size_t length = eight;

    memset(bytes, 1, 8);
    memcpy(copy, bytes, 8);
    memcpy(large, copy, 8);
    memset(copy + 1, 2, length - 1);
    memcpy(bytes, large, length);
    memmove(bytes + 2, bytes, 6);
    assert(bytes[7] == 1 && copy[0] == 1 && copy[7] == 2 && large[7] == 1);
    return 0;
}
