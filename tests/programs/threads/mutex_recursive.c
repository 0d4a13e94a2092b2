// A recursive mutex is taken twice by each thread, and free after two unlocks: two orders.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
// twin[rc11] PTHREAD_MUTEX_RECURSIVE->PTHREAD_MUTEX_NORMAL: violation=deadlock
// twin[rc11] PTHREAD_MUTEX_RECURSIVE->PTHREAD_MUTEX_ERRORCHECK: violation=assertion
// twin[rc11] `pthread_mutex_unlock(&mutex); /* inner */` -> ``: violation=deadlock
// twin[rc11] `assert(pthread_mutex_unlock(&mutex) == EPERM);` -> `assert(pthread_mutex_unlock(&mutex) == 0);`: violation=assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int counter;

static void add(void)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    counter++;
    pthread_mutex_unlock(&mutex); /* inner */
}

static void *twice(void *arg)
{
    pthread_mutex_lock(&mutex);
    add();
    add();
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutexattr_t attributes;
    int type = -1;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_gettype(&attributes, &type);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    pthread_create(&a, 0, twice, 0);
    pthread_create(&b, 0, twice, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 4);
    assert(type != PTHREAD_MUTEX_RECURSIVE || pthread_mutex_trylock(&mutex) == 0);
    pthread_mutex_unlock(&mutex);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    pthread_mutex_destroy(&mutex);
    return 0;
}
