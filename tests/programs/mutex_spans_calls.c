// A mutex locked in one function and unlocked in another protects what is between.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=6
// One execution an order of three sections: 3!.
// twin[sc,tso,rc11] `{ pthread_mutex_lock(m); }` -> `{ (void)m; }`: violation=mutex
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int list[3], length;

static void enter(pthread_mutex_t *m) { pthread_mutex_lock(m); }
static void leave(pthread_mutex_t *m) { pthread_mutex_unlock(m); }

static void *append(void *arg)
{
    enter(&mutex);
    list[length] = length + 1;
    length++;
    leave(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, append, NULL);
    pthread_create(&b, NULL, append, NULL);
    pthread_create(&c, NULL, append, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(list[0] == 1 && list[1] == 2 && list[2] == 3);
    return 0;
}
