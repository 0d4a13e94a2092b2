/* Functions that a checked program may call to talk to Mazurka. */
#ifndef MAZURKA_H
#define MAZURKA_H

#ifdef __cplusplus
extern "C" {
#endif

/* Only executions in which the condition holds are of interest: else the thread stops here. */
void __VERIFIER_assume(int condition);

/* Reports a violation if the condition does not hold, like assert. */
void __VERIFIER_assert(int condition);

/* Called in a loop: cuts the loop after so many iterations, a constant. The verdict is then 'bounded' at best. */
void __VERIFIER_loop_bound(int bound);

/* Reports a violation. */
void __VERIFIER_error(void) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
