// Two threads see that there is no table, and both may allocate one. What the first has stored is then lost.
// mazurka: --property valid-memsafety
// expect[sc,tso,rc11]: violation=leak line=14
// twin[sc,rc11] `if (!atomic_load(&table)) {` -> `static atomic_flag taken; if (!atomic_flag_test_and_set(&taken)) {`: verified complete=2 blocked=0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) table;

static void *look_up(void *arg)
{
    if (!atomic_load(&table)) {
        int *made = malloc(sizeof *made);
        *made = 7;
        atomic_store(&table, made);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, look_up, NULL);
    pthread_create(&b, NULL, look_up, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
