// A helper joins the worker in some executions only; main joins it in all of them, as the last thing that it does.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=thread line=26
// twin[sc,rc11] `== 0` -> `== 1`: violation=thread line=26
// twin[sc,rc11] `== 0` -> `== 2`: verified complete=2 blocked=0
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *work(void *arg) { return arg; }
static void *write_x(void *arg) { atomic_store(&x, 1); return arg; }
static void *help(void *worker) {
    if (atomic_load(&x) == 0)
        pthread_join((pthread_t)worker, NULL);
    return NULL;
}

int main(void) {
    pthread_t worker, helper, writer;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&helper, NULL, help, (void *)worker);
    pthread_create(&writer, NULL, write_x, NULL);
    pthread_join(helper, NULL);
    pthread_join(writer, NULL);
    pthread_join(worker, NULL);
}
