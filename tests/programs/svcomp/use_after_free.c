// A thread frees what main still uses, if main does not wait for it.
// mazurka: --property valid-memsafety
// expect[sc]: violation=freed lines=19,33
// twin[sc] `if (waits)` -> `if (1)`: verified
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
int *data, result;
void *release(void *arg)
{
    int *mine = data;
    data = 0;
    free(mine);
    return 0;
}
int main(void)
{
    pthread_t a;
    _Bool waits = __VERIFIER_nondet_bool();
    data = malloc(sizeof *data);
    *data = 1;
    pthread_create(&a, 0, release, 0);
    if (waits)
        pthread_join(a, 0);
    int *now = data;
    if (now)
        result = *now;
    return 0;
}
