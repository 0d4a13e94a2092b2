// Message passing in twenty lines: how long does a small check take, everything included?
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;

static void *reader(void *arg) {
    if (atomic_load(&flag)) assert(atomic_load(&data) == 1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    atomic_store(&data, 1);
    atomic_store(&flag, 1);
    pthread_join(t, 0);
    return 0;
}
