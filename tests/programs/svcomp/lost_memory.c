// Two threads look whether there is a buffer, and both may find none: then one of the two that they allocate is lost.
// mazurka: --property valid-memsafety
// expect[sc]: violation=leak line=18
// twin[sc] `chosen <= 1` -> `chosen == 0`: verified
// twin[sc] `atomic_store(&buffer, made)` -> `if (!atomic_compare_exchange_strong(&buffer, &expected, made)) free(made)`: verified
#include <pthread.h>
extern void abort(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
#include <stdatomic.h>
#include <stdlib.h>
_Atomic(int *) buffer;
int both;
void *prepare(void *arg)
{
    int *expected = atomic_load(&buffer);
    if (!expected) {
        int *made = malloc(sizeof *made);
        *made = 1;
        atomic_store(&buffer, made);
    }
    return arg;
}
int main(void)
{
    pthread_t a, b;
    int chosen = __VERIFIER_nondet_int();
    assume_abort_if_not(chosen >= 0 && chosen <= 1);
    both = chosen;
    pthread_create(&a, 0, prepare, 0);
    if (both)
        pthread_create(&b, 0, prepare, 0);
    pthread_join(a, 0);
    if (both)
        pthread_join(b, 0);
    return 0;
}
