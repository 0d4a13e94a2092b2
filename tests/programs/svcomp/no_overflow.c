// Each thread adds what it chose to a sum that has room for both. What is not about a number that does not fit leaves the question open.
// mazurka: --property no-overflow
// expect[sc,rc11]: verified
// twin[sc] `room = 20` -> `room = 19`: violation=overflow line=17
// twin[sc] `sum = sum + n;` -> `sum = (int)((unsigned)sum + (unsigned)n + 5u);`: verified
#include <limits.h>
#include <pthread.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
enum { room = 20 };
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum = INT_MAX - room;
void add(int n)
{
    pthread_mutex_lock(&lock);
    sum = sum + n;
    pthread_mutex_unlock(&lock);
}
void *chooser(void *arg)
{
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n >= 9 && n <= 10);
    add(n);
    return arg;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, chooser, 0);
    pthread_create(&two, 0, chooser, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
