// A value goes from one thread to the next; the last one sees what the first has chosen, if each waits for a flag.
// mazurka: --property unreach-call
// expect[sc]: verified
// twin[sc] `while (!ready)` -> `while (0)`: violation=assertion
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
volatile int ready;
int value, chosen;
void *send(void *arg)
{
    int n = __VERIFIER_nondet_int();
    switch (n) {
    case 3:
    case 5:
        break;
    default:
        abort();
    }
    chosen = n;
    value = n + 1;
    ready = 1;
    return 0;
}
void *receive(void *arg)
{
    while (!ready)
        ;
    __VERIFIER_assert(value == chosen + 1 && (chosen == 3 || chosen == 5));
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, send, 0);
    pthread_create(&b, 0, receive, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
