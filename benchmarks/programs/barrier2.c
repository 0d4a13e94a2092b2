// barrier2(N): N threads meet at a barrier twice. Source: BAM, thesis §10.2.3. There is one execution.
#define ROUNDS 2
#include "barrier.c"
