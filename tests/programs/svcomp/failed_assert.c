// A failed assert is not what the property is about: the thread that it ends never gets to reach_error.
// mazurka: --property unreach-call
// expect[sc]: verified
// twin[sc] `assert(seen == 0)` -> `(void)0`: violation=assertion line=22
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
#include <assert.h>
int flag;
void *set(void *arg)
{
    int n = __VERIFIER_nondet_int();
    if (n != 1)
        abort();
    flag = n;
    int seen = flag;
    assert(seen == 0);
    reach_error();
    return 0;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, set, 0);
    pthread_join(a, 0);
    return 0;
}
