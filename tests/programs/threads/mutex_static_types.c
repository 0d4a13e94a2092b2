// Mutexes that glibc's static initialisers make recursive, error-checking and adaptive.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2
// twin[rc11] `recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP` -> `recursive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP`: violation=deadlock
// twin[rc11] `PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,` -> `PTHREAD_MUTEX_INITIALIZER,`: violation=deadlock
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct {
    int before;
    pthread_mutex_t checked, adaptive;
} both = {1, PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP};
static int x;

static void *run(void *arg)
{
    pthread_mutex_t local = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    assert(pthread_mutex_lock(&local) == 0 && pthread_mutex_lock(&local) == 0);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    assert(pthread_mutex_lock(&both.checked) == 0);
    assert(pthread_mutex_lock(&both.checked) == EDEADLK);
    pthread_mutex_lock(&both.adaptive);
    x++;
    pthread_mutex_unlock(&both.adaptive);
    pthread_mutex_unlock(&both.checked);
    assert(pthread_mutex_unlock(&both.checked) == EPERM);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    run(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
