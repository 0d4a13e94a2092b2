// A section that updates several variables, beside sections that access one each. Source: Mixer, example 2.4 and section 5.
// expect[sc,tso,pso,ra,rc11-ra,rc11]: verified complete=14 blocked=0
// The update has three places among the sections of each other thread. If these say which access of z in the other
// threads comes first (1 * 2 + 2 * 1), there is one execution, otherwise (2 * 2 + 1 * 1) there are two: 4 + 2 * 5.
#include <mazurka.h>
#include <pthread.h>
#include <stddef.h>

static int x, y, z;

static void *first(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 2;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    int seen = z;
    __VERIFIER_atomic_end();
    (void)seen;
    return arg;
}

static void *update(void *arg)
{
    __VERIFIER_atomic_begin();
    x++;
    y++;
    z++;
    __VERIFIER_atomic_end();
    return arg;
}

static void *second(void *arg)
{
    __VERIFIER_atomic_begin();
    y = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    z = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, update, NULL);
    pthread_create(&t[2], NULL, second, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
