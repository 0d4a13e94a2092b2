// Threads that wait for ever are not what the property is about.
// mazurka: --property unreach-call
// expect[sc]: verified
// twin[sc] `pthread_mutex_lock(&lock);` -> `reach_error();`: violation=assertion
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
void *first(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t a;
    int order = __VERIFIER_nondet_int();
    assume_abort_if_not(order == 0 || order == 1);
    pthread_create(&a, 0, first, 0);
    if (order) {
        pthread_mutex_lock(&other);
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        pthread_mutex_unlock(&other);
    }
    pthread_join(a, 0);
    return 0;
}
