// Detached threads: one by its creator, one by itself, one from the start. Nobody joins these; the last one is joined.
// Three additions in 3! orders, and the reader sees one of four values in each: 6 * 4 ways.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=24 blocked=0
// twin[rc11] `pthread_join(joined, NULL);` -> `pthread_join(first, NULL);`: violation=thread
// twin[rc11] `pthread_join(joined, NULL);` -> `pthread_join(third, NULL);`: violation=thread
// twin[rc11] `pthread_join(joined, NULL);` -> `pthread_detach(first);`: violation=thread
// twin[rc11] `pthread_join(joined, NULL);` -> `pthread_detach(third);`: violation=thread
// twin[rc11] `pthread_join(joined, NULL);` -> `pthread_join(joined, NULL), pthread_detach(joined);`: violation=thread
// twin[rc11] `pthread_join(joined, NULL);` -> `pthread_join(joined, NULL), pthread_join(joined, NULL);`: violation=thread
// twin[rc11] `pthread_join(joined, NULL);` -> `pthread_join(second, NULL);`: violation=thread
// twin[rc11] `pthread_join(joined, NULL);` -> `pthread_detach(joined);`: verified complete=24
// twin[rc11] `PTHREAD_CREATE_DETACHED` -> `PTHREAD_CREATE_JOINABLE`: verified complete=24
// twin[rc11] `pthread_detach(pthread_self());` -> ``: verified complete=24
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter;

static void *add(void *arg)
{
    atomic_fetch_add(&counter, 1);
    return arg;
}

static void *leave(void *arg)
{
    pthread_detach(pthread_self());
    return add(arg);
}

static void *look(void *arg)
{
    atomic_load(&counter);
    return arg;
}

int main(void)
{
    pthread_t first, second, third, joined;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&first, NULL, add, NULL);
    pthread_detach(first);
    pthread_create(&second, NULL, leave, NULL);
    pthread_create(&third, &attributes, add, NULL);
    pthread_attr_destroy(&attributes);
    pthread_create(&joined, NULL, look, NULL);
    pthread_join(joined, NULL);
    return 0;
}
