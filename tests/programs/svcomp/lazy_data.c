// Two threads add chosen numbers, a third reports an error if it sees their sum: it may.
// mazurka: --property unreach-call
// expect[sc,rc11]: violation=assertion line=34
// twin[sc] `data >= 3` -> `data >= 4`: verified
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int data;
void *add_one(void *arg)
{
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n == 0 || n == 1);
    pthread_mutex_lock(&lock);
    data = data + n;
    pthread_mutex_unlock(&lock);
    return 0;
}
void *add_two(void *arg)
{
    pthread_mutex_lock(&lock);
    data = data + 2;
    pthread_mutex_unlock(&lock);
    return 0;
}
void *look(void *arg)
{
    pthread_mutex_lock(&lock);
    if (data >= 3)
        reach_error();
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, add_one, 0);
    pthread_create(&b, 0, add_two, 0);
    pthread_create(&c, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
