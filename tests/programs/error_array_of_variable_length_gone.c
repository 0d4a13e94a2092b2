// A pointer to an array of variable length outlives the array's function, in another thread.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=freed line=24
// twin[sc,rc11] `atomic_int array[length]` -> `static atomic_int array[9]`: verified complete=2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int *_Atomic box;

static void publish(int length) {
    atomic_int array[length];
    atomic_init(&array[length - 1], 1);
    atomic_store(&box, &array[length - 1]);
}

static void *writer(void *length) {
    publish(*(int *)length);
    return NULL;
}

static void *reader(void *unused) {
    atomic_int *cell = atomic_load(&box);
    if (cell)
        atomic_store(cell, 2);
    return unused;
}

int main(void) {
    int length = 3;
    pthread_t a, b;
    pthread_create(&a, NULL, writer, &length);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
