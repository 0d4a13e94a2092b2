// barrier3(N): N threads meet at a barrier three times. Source: BAM, thesis §10.2.3. There is one execution.
#define ROUNDS 3
#include "barrier.c"
