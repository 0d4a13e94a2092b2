// A reader skips the lock for one of the values that it may read from its input.
// mazurka: --property no-data-race
// expect[rc11]: violation=race lines=17,29
// twin[rc11] `mode == 1` -> `mode >= 0`: verified
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared, seen;
void *write(void *arg)
{
    pthread_mutex_lock(&lock);
    shared = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t a;
    int mode = __VERIFIER_nondet_int();
    assume_abort_if_not(mode >= 0 && mode <= 1);
    pthread_create(&a, 0, write, 0);
    if (mode == 1)
        pthread_mutex_lock(&lock);
    seen = shared;
    if (mode == 1)
        pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    return 0;
}
