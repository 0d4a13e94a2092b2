// Peterson's algorithm, which starts with either turn.
// mazurka: --property unreach-call
// expect[sc]: verified
// expect[tso]: violation=assertion
// twin[sc] `while (flag2 == 1 && turn == 2)` -> `while (flag2 == 2)`: violation=assertion
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
volatile int flag1, flag2, turn;
int inside;
void *left(void *arg)
{
    flag1 = 1;
    turn = 2;
    while (flag2 == 1 && turn == 2)
        ;
    inside = 1;
    __VERIFIER_assert(inside == 1);
    flag1 = 0;
    return 0;
}
void *right(void *arg)
{
    flag2 = 1;
    turn = 1;
    while (flag1 == 1 && turn == 1)
        ;
    inside = 2;
    __VERIFIER_assert(inside == 2);
    flag2 = 0;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    turn = __VERIFIER_nondet_bool() ? 1 : 2;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
