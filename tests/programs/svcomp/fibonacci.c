// Two threads add to each other's numbers, once or twice each: neither gets beyond the sixth Fibonacci number, 8.
// mazurka: --property unreach-call
// expect[sc]: verified
// twin[sc] `<= 8` -> `<= 7`: violation=assertion
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
int i = 1, j = 1, rounds;
void *first(void *arg)
{
    for (int k = 0; k < rounds; k++)
        i = i + j;
    return 0;
}
void *second(void *arg)
{
    for (int k = 0; k < rounds; k++)
        j = j + i;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n >= 1 && n <= 2);
    rounds = n;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(i <= 8 && j <= 8);
    return 0;
}
