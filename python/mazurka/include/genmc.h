/* Lets programs written for GenMC compile unchanged: the same names as mazurka.h, and hints that
   change how GenMC explores but not what a program means, which expand to nothing here. */
#ifndef GENMC_H
#define GENMC_H

#include "mazurka.h"

#define __VERIFIER_loop_begin() ((void)0)
#define __VERIFIER_spin_start() ((void)0)
#define __VERIFIER_spin_end(condition) ((void)(condition))
#define __VERIFIER_optional(block) block
#define __VERIFIER_local_write(target, value) ((target) = (value))

#define __CONFIRMATION_CAS_ANNOT
#define __confirmation_CAS(block) block
#define __speculative_CAS(block) block

#endif
