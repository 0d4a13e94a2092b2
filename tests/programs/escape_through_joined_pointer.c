// A local whose address is stored where another thread said: through a joined thread's result, through a pointer
// that was read back from shared memory, and by a function that has two names. All of them are shared.
// expect[sc,tso,rc11]: verified complete=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int **_Atomic slot;
static int *kept;
static void keep(int *p) { kept = p; }
void keep_too(int *p) __attribute__((alias("keep")));

static void *make_cell(void *unused) { return calloc(1, sizeof(int *)); }

static void *use(void *cell) {
    assert(**(int **)cell == 3);
    assert(**atomic_load(&slot) == 4);
    assert(*kept == 5);
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *cell;
    int three = 3, four = 4, five = 5, *inner = NULL;
    pthread_create(&thread, NULL, make_cell, NULL);
    pthread_join(thread, &cell);
    *(int **)cell = &three;
    atomic_store(&slot, &inner);
    *atomic_load(&slot) = &four;
    keep_too(&five);
    pthread_create(&thread, NULL, use, cell);
    pthread_join(thread, NULL);
    return 0;
}
