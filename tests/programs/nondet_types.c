// Values of small types are all explored: two booleans and a byte that an assumption narrows to three values.
// 2 * 2 * 3 complete executions; bytes that the assumption rules out at once are not chosen.
// expect[sc]: verified complete=12 blocked=0
// twin[sc] `byte != 0` -> `byte != 254`: violation=assertion line=16
#include <assert.h>
#include <mazurka.h>

int main(void)
{
    _Bool first = __VERIFIER_nondet_bool();
    _Bool second = __VERIFIER_nondet_bool();
    unsigned char byte = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(byte > 252);
    assert(first <= 1 && second <= 1);
    assert(byte > 252);
    assert(byte != 0);
    return 0;
}
