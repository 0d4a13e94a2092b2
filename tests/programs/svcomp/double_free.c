// Both threads free the same memory, unless one of them may not.
// mazurka: --property valid-memsafety
// expect[sc]: violation=double-free
// twin[sc] `chosen >= 0 && chosen <= 1` -> `chosen == 0`: verified
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
int *data, share;
void *release(void *arg)
{
    if (arg == 0 || share)
        free(data);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    int chosen = __VERIFIER_nondet_int();
    assume_abort_if_not(chosen >= 0 && chosen <= 1);
    share = chosen;
    data = malloc(sizeof *data);
    pthread_create(&a, 0, release, 0);
    pthread_create(&b, 0, release, &share);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
