// Two numbers under two locks: each thread sees both changed or neither, if it takes both locks.
// mazurka: --property unreach-call
// expect[sc]: verified
// twin[sc] `start + 5` -> `start + 4`: violation=assertion line=9
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
int data1, data2, start;
void *change(void *arg)
{
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    data1 = start + 5;
    data2 = start + 6;
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    return 0;
}
int main(void)
{
    pthread_t a;
    int chosen = __VERIFIER_nondet_int();
    if (chosen < 10 || chosen > 12)
        abort();
    start = chosen;
    data1 = start;
    data2 = start + 1;
    pthread_create(&a, 0, change, 0);
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    __VERIFIER_assert(data2 == data1 + 1);
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    pthread_join(a, 0);
    return 0;
}
