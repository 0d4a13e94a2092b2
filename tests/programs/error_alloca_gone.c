// Memory from alloca is gone when its function returns, even if no other thread sees it.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=freed line=19
// twin[sc,rc11] `gone[0]++` -> `gone = kept`: verified complete=1
#include <alloca.h>
#include <pthread.h>
#include <stddef.h>

static int *make(size_t count) {
    int *made = alloca(count * sizeof *made);
    made[0] = 1;
    return made;
}

static void *thread(void *count) {
    int *kept = alloca(*(size_t *)count * sizeof *kept);
    kept[0] = 1;
    int *gone = make(*(size_t *)count);
    kept[0]++;
    gone[0]++;
    return NULL;
}

int main(void) {
    size_t count = 2;
    pthread_t id;
    pthread_create(&id, NULL, thread, &count);
    pthread_join(id, NULL);
    return 0;
}
