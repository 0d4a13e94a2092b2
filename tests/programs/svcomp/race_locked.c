// Whatever is chosen, both threads take the lock.
// mazurka: --property no-data-race
// expect[rc11]: verified
// twin[rc11] `pthread_mutex_lock(&lock);` -> `if (chosen < 2) pthread_mutex_lock(&lock);`: violation=race
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared;
void *work(void *arg)
{
    int chosen = __VERIFIER_nondet_int();
    assume_abort_if_not(chosen >= 0 && chosen <= 2);
    pthread_mutex_lock(&lock);
    shared = chosen;
    if (chosen < 2)
        pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
