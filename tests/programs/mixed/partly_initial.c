// Main writes one half of a new object, and a thread the other: nothing of the whole is uninitialized.
// expect[sc,tso,rc11-ra,rc11]: verified complete=1 blocked=0
// twin[sc,rc11] `atomic_store(&both->half[0], 1);` -> ``: violation=uninitialized line=29
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static union {
    _Atomic uint32_t word;
    _Atomic uint16_t half[2];
} *both;

static void *upper(void *arg)
{
    atomic_store(&both->half[1], 3);
    return arg;
}

int main(void)
{
    pthread_t thread;
    both = malloc(sizeof *both);
    atomic_store(&both->half[0], 1);
    pthread_create(&thread, NULL, upper, NULL);
    pthread_join(thread, NULL);
    assert(atomic_load(&both->word) == 0x30001);
    free(both);
    return 0;
}
