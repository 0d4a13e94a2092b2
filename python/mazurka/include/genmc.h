/* Lets programs written for GenMC compile unchanged: the same names as mazurka.h, and hints that
   change how GenMC explores but not what a program means, which expand to nothing here. Mazurka finds by itself where a
   loop spins. */
#ifndef GENMC_H
#define GENMC_H

#include "mazurka.h"

#define __VERIFIER_loop_begin() ((void)0)
#define __VERIFIER_spin_start() ((void)0)
#define __VERIFIER_spin_end(condition) ((void)(condition))
#define __VERIFIER_potential_spin_end(condition) ((void)(condition))
#define __VERIFIER_optional(block) block

/* Also with two arguments, the target and its value. */
#undef __VERIFIER_local_write
#define __VERIFIER_ONE_OR_TWO(one, two, name, ...) name
#define __VERIFIER_LOCAL_1(write) __VERIFIER_ANNOTATED(1, write)
#define __VERIFIER_LOCAL_2(target, value) __VERIFIER_ANNOTATED(1, (target) = (value))
#define __VERIFIER_local_write(...) \
    __VERIFIER_ONE_OR_TWO(__VA_ARGS__, __VERIFIER_LOCAL_2, __VERIFIER_LOCAL_1, 0)(__VA_ARGS__)

#define __CONFIRMATION_CAS_ANNOT
#define __confirmation_CAS(block) block
#define __speculative_CAS(block) block

#endif
