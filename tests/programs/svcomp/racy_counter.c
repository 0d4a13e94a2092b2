// Two threads add a chosen number without a lock: an update is lost, unless the number is 0.
// mazurka: --property unreach-call
// expect[sc]: violation=assertion line=9
// twin[sc] `step < 2` -> `step < 1`: verified
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
int counter, step;
void *add(void *arg)
{
    int old = counter;
    counter = old + step;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    step = __VERIFIER_nondet_int();
    if (!(step >= 0 && step < 2))
        abort();
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(counter == 2 * step);
    return 0;
}
