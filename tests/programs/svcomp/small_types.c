// Values of several types; each thread adds its own, and the sum is what they chose.
// mazurka: --property unreach-call
// expect[sc,rc11]: verified
// twin[sc] `sum <= 9` -> `sum <= 8`: violation=assertion
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum;
void add(int n)
{
    pthread_mutex_lock(&lock);
    sum = sum + n;
    pthread_mutex_unlock(&lock);
}
void *first(void *arg)
{
    char c = __VERIFIER_nondet_char();
    assume_abort_if_not(c >= -1 && c <= 1);
    add(c + __VERIFIER_nondet_bool());
    return 0;
}
void *second(void *arg)
{
    unsigned short s = __VERIFIER_nondet_ushort();
    unsigned long l = __VERIFIER_nondet_ulong();
    assume_abort_if_not(s < 3 && l >= 4 && l <= 5);
    add(s + (int)l);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(sum >= 3 && sum <= 9);
    return 0;
}
