// A thread pushes a chosen number of values onto a stack, another pops one if there is any: the last that was pushed.
// mazurka: --property unreach-call
// expect[sc,rc11]: verified
// twin[sc] `pushes <= 2` -> `pushes <= 3`: violation=unallocated
// twin[sc] `value == top + 1` -> `value == 1`: violation=assertion
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int stack[2], top;
void *push(void *arg)
{
    int pushes = __VERIFIER_nondet_int();
    assume_abort_if_not(pushes >= 0 && pushes <= 2);
    for (int i = 0; i < pushes; i++) {
        pthread_mutex_lock(&lock);
        stack[top] = top + 1;
        top = top + 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
void *pop(void *arg)
{
    pthread_mutex_lock(&lock);
    if (top > 0) {
        top = top - 1;
        int value = stack[top];
        __VERIFIER_assert(value == top + 1);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, push, 0);
    pthread_create(&b, 0, pop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
