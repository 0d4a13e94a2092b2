// Memory from alloca must not be freed, even if no other thread sees it.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=invalid-free line=12
// twin[sc,rc11] `alloca(*` -> `malloc(*`: verified complete=1
#include <alloca.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *thread(void *size) {
    char *local = alloca(*(size_t *)size);
    local[0] = 1;
    free(local);
    return NULL;
}

int main(void) {
    size_t size = 2;
    pthread_t id;
    pthread_create(&id, NULL, thread, &size);
    pthread_join(id, NULL);
    return 0;
}
