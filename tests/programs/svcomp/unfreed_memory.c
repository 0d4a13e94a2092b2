// The last of two threads that use a buffer frees it. With a count that is too high nobody does, though a global variable still
// points to it: all memory is tracked, and not all of it is freed.
// mazurka: --property valid-memcleanup
// expect[sc]: verified
// twin[sc] `users = 2` -> `users = 3`: violation=leak line=26
// twin[sc] `free(data)` -> `data = 0`: violation=leak line=26
#include <pthread.h>
extern void abort(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
#include <stdatomic.h>
#include <stdlib.h>
int *data;
atomic_int users = 2;
void *use(void *arg)
{
    if (atomic_fetch_sub(&users, 1) == 1)
        free(data);
    return arg;
}
int main(void)
{
    pthread_t a, b;
    int size = __VERIFIER_nondet_int();
    assume_abort_if_not(size >= 1 && size <= 2);
    data = malloc(size * sizeof *data);
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
