// An index far outside a private array, which other private variables surround.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=unallocated line=11
// twin[sc,rc11] `array[75]` -> `array[3]`: verified complete=1
#include <stddef.h>

static int read_at(const int *array, ptrdiff_t index) { return array[index]; }

int main(void) {
    int before[300] = {1}, array[4] = {2}, after[300] = {3};
    int sum = read_at(array, 3) + read_at(before, 299) + read_at(after, 0);
    array[75] = sum;
    return array[0] + before[0] + after[0];
}
