// Threads add and subtract a chosen number in atomic blocks: outside of them the sum is 0.
// mazurka: --property unreach-call
// expect[sc]: verified
// twin[sc] `minus - step` -> `minus - 5`: violation=assertion
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int plus, minus, step;
void *move(void *arg)
{
    __VERIFIER_atomic_begin();
    plus = plus + step;
    minus = minus - step;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void)
{
    pthread_t a;
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n == 5 || n == 7);
    step = n;
    pthread_create(&a, 0, move, 0);
    __VERIFIER_atomic_begin();
    int sum = plus + minus;
    __VERIFIER_atomic_end();
    __VERIFIER_assert(sum == 0);
    pthread_join(a, 0);
    return 0;
}
