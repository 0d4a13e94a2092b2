// A lock for readers and a writer of atomic functions that assume; the writer writes a chosen value.
// mazurka: --property unreach-call
// expect[sc]: verified
// twin[sc] `writer == 0 && readers == 0` -> `writer == 0`: violation=assertion
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
int writer, readers, data;
void __VERIFIER_atomic_take_write(void)
{
    assume_abort_if_not(writer == 0 && readers == 0);
    writer = 1;
}
void __VERIFIER_atomic_take_read(void)
{
    assume_abort_if_not(writer == 0);
    readers = readers + 1;
}
void __VERIFIER_atomic_give_read(void)
{
    readers = readers - 1;
}
void *write(void *arg)
{
    int value = __VERIFIER_nondet_int();
    assume_abort_if_not(value >= 3 && value <= 4);
    __VERIFIER_atomic_take_write();
    data = value;
    writer = 0;
    return 0;
}
void *read(void *arg)
{
    __VERIFIER_atomic_take_read();
    int first = data;
    __VERIFIER_assert(data == first);
    __VERIFIER_atomic_give_read();
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, write, 0);
    pthread_create(&b, 0, read, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
