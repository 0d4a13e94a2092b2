// Recursion, switch and goto in threads, driven by a value that is read.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=3 blocked=0
// The reader sees 0, 5 or 6.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int input;
static int output = -1;

static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static void *writer(void *arg)
{
    atomic_store(&input, 5);
    atomic_store(&input, 6);
    return arg;
}

static void *reader(void *arg)
{
    int n = atomic_load(&input), sum = 0;
    switch (n) {
    case 0:
        goto done;
    case 5:
        sum = 100; // falls through
    default:
        sum += fib(n);
    }
done:
    output = sum;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(output == 0 || output == 105 || output == 8);
    return 0;
}
