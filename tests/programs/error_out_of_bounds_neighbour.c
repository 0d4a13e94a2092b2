// An index that leaves a global array and lands exactly on its neighbour: the address was made from the array.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=unallocated line=15
// twin[sc,rc11] `array[index]` -> `array[index & 3]`: verified complete=1
#include <stdint.h>

static volatile int array[4];
static volatile int neighbour = 1;

int main(void) {
    volatile intptr_t distance = ((intptr_t)&neighbour - (intptr_t)array) / (intptr_t)sizeof(int);
    intptr_t index = distance;
    if (*(volatile int *)((intptr_t)&neighbour) != 1) return 1;
    if ((intptr_t)&array[3] % 4 != 0 || array[3] != 0) return 2;

    array[index] = 2;
    return neighbour;
}
