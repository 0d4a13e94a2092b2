// Values that are left open go through a queue; what comes out is what went in, in order.
// mazurka: --property unreach-call
// expect[sc,rc11]: verified
// twin[sc] `sent[0] = first;` -> `sent[0] = second;`: violation=assertion
#include <pthread.h>
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "program.c", 3, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int queue[2], sent[2], head, tail;
void put(int value)
{
    pthread_mutex_lock(&lock);
    queue[tail] = value;
    tail = tail + 1;
    pthread_mutex_unlock(&lock);
}
void *produce(void *arg)
{
    put(sent[0]);
    put(sent[1]);
    return 0;
}
void *consume(void *arg)
{
    pthread_mutex_lock(&lock);
    while (head < tail) {
        __VERIFIER_assert(queue[head] % 10 == head);
        head = head + 1;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    unsigned char first = __VERIFIER_nondet_uchar(), second = __VERIFIER_nondet_uchar();
    assume_abort_if_not(first == 10 || first == 20);
    assume_abort_if_not(second == 11);
    sent[0] = first;
    sent[1] = second;
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
