// Up to three threads, as many as main chooses, add a chosen number to a counter under a lock.
// mazurka: --property unreach-call
// expect[sc,rc11]: verified
// twin[sc] `counter = counter + step;` -> `pthread_mutex_unlock(&lock); counter = counter + step; pthread_mutex_lock(&lock);`: violation=assertion line=10
// twin[sc] `threads <= 3` -> `threads <= 4`: violation=unallocated
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter, step;
void *add(void *arg)
{
    pthread_mutex_lock(&lock);
    counter = counter + step;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t ids[3];
    int threads = __VERIFIER_nondet_int();
    int chosen = __VERIFIER_nondet_int();
    assume_abort_if_not(threads >= 1 && threads <= 3);
    assume_abort_if_not(chosen > -2 && chosen < 2);
    step = chosen;
    for (int i = 0; i < threads; i++)
        pthread_create(&ids[i], 0, add, 0);
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], 0);
    __VERIFIER_assert(counter == threads * chosen);
    return 0;
}
