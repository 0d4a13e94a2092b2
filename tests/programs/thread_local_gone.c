// A thread-local ends with its thread, by return or by pthread_exit: nobody may access it afterwards.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=freed line=28
// twin[rc11] `return arg;` -> `pthread_exit(arg);`: violation=freed line=28
// twin[sc] `pthread_join(thread, NULL); /* early */` -> ``: violation=freed line=28
// twin[rc11] `*seen = 1;` -> `;`: verified complete=1
// twin[rc11] `static _Thread_local int mine = 3;` -> `static int mine = 3;`: verified complete=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Thread_local int mine = 3;
static _Atomic(int *) box;

static void *writer(void *arg)
{
    atomic_store(&box, &mine);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_join(thread, NULL); /* early */
    int *seen = atomic_load(&box);
    if (seen)
        *seen = 1;
    assert(&mine != NULL);
    return 0;
}
