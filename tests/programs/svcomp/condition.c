// A consumer waits on a condition variable for a chosen number of items.
// mazurka: --property unreach-call
// expect[sc,rc11]: verified
// twin[sc] `while (items < wanted)` -> `if (0)`: violation=assertion
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t more = PTHREAD_COND_INITIALIZER;
int items, wanted;
void *produce(void *arg)
{
    pthread_mutex_lock(&lock);
    items = items + 1;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    return 0;
}
void *consume(void *arg)
{
    pthread_mutex_lock(&lock);
    while (items < wanted)
        pthread_cond_wait(&more, &lock);
    __VERIFIER_assert(items >= wanted);
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    wanted = __VERIFIER_nondet_bool();
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
