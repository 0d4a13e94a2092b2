// What --undefined asks beyond sums and products: shifts to the left, absolute values, floats, 128 bits.
// mazurka: --undefined
// expect[sc,rc11]: verified
// twin[rc11] `result = one << 30` -> `result = one << 31`: violation=overflow line=42
// twin[rc11] `result = one << 30` -> `result = -one << 1`: violation=undefined line=42
// twin[rc11] `result = one << 30` -> `result = (int)((unsigned)-one << 1)`: verified
// twin[rc11] `result = one << 30` -> `result = -one * 2`: verified
// twin[rc11] `result = one << 30` -> `result = (long)one << 62`: verified
// twin[rc11] `result = one << 30` -> `result = (long)one << 63`: violation=overflow line=42
// twin[rc11] `result = one << 30` -> `result = abs(-INT_MAX - one)`: violation=overflow line=42
// twin[rc11] `result = one << 30` -> `result = abs(one - INT_MAX)`: verified
// twin[rc11] `result = one << 30` -> `result = llabs(-LLONG_MAX - one)`: violation=overflow line=42
// twin[rc11] `result = one << 30` -> `result = labs(-(long)INT_MAX - one)`: verified
// twin[rc11] `result = one << 30` -> `result = (int)(one * 2147483648.0)`: violation=overflow line=42
// twin[rc11] `result = one << 30` -> `result = (int)(one * 2147483647.5)`: verified
// twin[rc11] `result = one << 30` -> `result = (int)(one * -2147483648.5)`: verified
// twin[rc11] `result = one << 30` -> `result = (long)(one * 9223372036854775808.0f)`: violation=overflow line=42
// twin[rc11] `result = one << 30` -> `result = (unsigned)(one * -0.5)`: verified
// twin[rc11] `result = one << 30` -> `result = (unsigned)(one * -1.5)`: violation=undefined line=42
// twin[rc11] `result = one << 30` -> `wide = MOST - one + 1`: verified
// twin[rc11] `result = one << 30` -> `wide = MOST - one + 2`: violation=overflow line=42
// twin[rc11] `result = one << 30` -> `wide = -MOST - one`: verified
// twin[rc11] `result = one << 30` -> `wide = -MOST - 1 - one`: violation=overflow line=42
// twin[rc11] `result = one << 30` -> `wide = (MOST / 3) * (one + 2)`: verified
// twin[rc11] `result = one << 30` -> `wide = (MOST / 3 + 1) * (one + 2)`: violation=overflow line=42
// twin[rc11] `result = one << 30` -> `wide = (-MOST / 2 - 1) * (one + 1)`: verified
// twin[rc11] `result = one << 30` -> `wide = (MOST / 2 + 1) * (one + 1)`: violation=overflow line=42
// twin[rc11] `result = one << 30` -> `wide = (-MOST - 1) / -one`: violation=overflow line=42
// twin[rc11] `result = one << 30` -> `wide = -MOST / -one`: verified
// twin[rc11] `result = one << 30` -> `wide = (__int128)one << 126`: verified
// twin[rc11] `result = one << 30` -> `wide = (__int128)one << 127`: violation=undefined line=42
// twin[rc11] `result = one << 30` -> `wide = MOST >> (one + 126)`: verified
// twin[rc11] `result = one << 30` -> `wide = MOST >> (one + 127)`: violation=undefined line=42
#include <limits.h>
#include <stdlib.h>
static const __int128 MOST = ((((__int128)1 << 126) - 1) * 2) + 1;
static int one = 1;
int main(void)
{
    long result = 0;
    __int128 wide = 0;
    result = one << 30;
    return result == 5 || wide == 5;
}
