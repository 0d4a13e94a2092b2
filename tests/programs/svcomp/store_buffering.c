// Each thread writes what it has chosen and reads what the other wrote: under sc one of them sees the other.
// mazurka: --property unreach-call
// expect[sc]: verified
// expect[tso]: violation=assertion
// twin[sc] `a != 0 || b != 0` -> `a != 0`: violation=assertion
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
int x, y, a, b;
int choose(void)
{
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n >= 1 && n <= 2);
    return n;
}
void *left(void *arg)
{
    x = choose();
    a = y;
    return 0;
}
void *right(void *arg)
{
    y = choose();
    b = x;
    return 0;
}
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, left, 0);
    pthread_create(&t, 0, right, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    __VERIFIER_assert(a != 0 || b != 0);
    return 0;
}
