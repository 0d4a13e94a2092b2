// Thread bodies taken from a table of function pointers, chosen by a value.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
// One execution an order of the two updates.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int x = 3;

static int twice(int n) { return 2 * n; }
static int negate(int n) { return -n; }
static int (*const step[])(int) = {twice, negate};

static void *add(void *arg)
{
    atomic_fetch_add(&x, step[0]((int)(intptr_t)arg));
    return NULL;
}

static void *subtract(void *arg)
{
    atomic_fetch_add(&x, step[1]((int)(intptr_t)arg));
    return NULL;
}

static void *(*bodies[2])(void *) = {add, subtract};

int main(void)
{
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, bodies[i], (void *)(i + 4));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(atomic_load(&x) == 3 + 8 - 5);
    return 0;
}
