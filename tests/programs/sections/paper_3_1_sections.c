// A section reads two variables that two threads write: both may revisit it together. Source: Mixer, example 3.1 and section 5.
// expect[sc,tso,pso,ra,rc11-ra,rc11]: verified complete=4 blocked=0
// Two values for each of two variables.
#include <mazurka.h>
#include <pthread.h>
#include <stddef.h>

static int x, y;

static void *reader(void *arg)
{
    __VERIFIER_atomic_begin();
    int sum = x + y;
    __VERIFIER_atomic_end();
    (void)sum;
    return arg;
}

static void *first(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    return arg;
}

static void *second(void *arg)
{
    __VERIFIER_atomic_begin();
    y = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, reader, NULL);
    pthread_create(&t[1], NULL, first, NULL);
    pthread_create(&t[2], NULL, second, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
