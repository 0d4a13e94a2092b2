// A constant index far outside a local array, as the place where a thread's name is stored.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=1
// twin[sc] `&t[4]` -> `&t[33]`: violation=unallocated line=12
// twin[rc11] `&t[4]` -> `&t[33]`: violation=unallocated line=12
#include <pthread.h>
#include <stddef.h>

static void *run(void *unused) { return NULL; }

int main(void) {
    pthread_t t[5];
    pthread_create(&t[4], NULL, run, NULL);
    pthread_join(t[4], NULL);
    return 0;
}
