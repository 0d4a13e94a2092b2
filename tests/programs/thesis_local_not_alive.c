// A pointer to a local variable that may not be alive any more (thesis §9.2.3.4), unless its function waits for the other thread.
// expect[sc,tso,pso,rc11,rc11-cpp11]: violation=freed
// twin[sc,tso,rc11] `return; // without waiting` -> `while (!atomic_load(&seen));`: verified complete=2
// twin[sc,tso,rc11] `atomic_int local` -> `static atomic_int local`: verified complete=2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int *_Atomic r;
static atomic_int seen;

static void lend(void)
{
    atomic_int local = 42;
    atomic_store(&r, &local);
    return; // without waiting
}

static void *lender(void *arg) { lend(); return arg; }

static void *borrower(void *arg)
{
    atomic_int *place = atomic_load(&r);
    if (place) atomic_load(place);
    atomic_store(&seen, 1);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, lender, NULL);
    pthread_create(&two, NULL, borrower, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
