// A thread that ends inside a nested call takes the variables of all its functions with it.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=freed line=27
// twin[sc,rc11] `int local = 1` -> `static int local = 1`: verified complete=1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int *_Atomic published;

static void leave(void) { pthread_exit(NULL); }

static void *run(void *unused) {
    int local = 1;
    atomic_store(&published, &local);
    leave();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    int *found = NULL;
    pthread_join(thread, NULL);
    found = atomic_load(&published);

    // the thread is gone, and its variable too
    *found = 2;
    return 0;
}
