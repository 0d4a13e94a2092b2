// Calls that set attributes, give way or take time change nothing: two stores in two orders.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int x;
static pthread_mutex_t mutex;
static pthread_rwlock_t rwlock;
static pthread_barrier_t barrier;

static void *run(void *arg)
{
    int old = 7;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0) == 0);
    pthread_testcancel();
    pthread_setname_np(pthread_self(), "worker");
    atomic_store(&x, 1);
    sched_yield();
    return arg;
}

static void *detached(void *arg)
{
    pthread_yield();
    return arg;
}

static void set_objects(void)
{
    pthread_mutexattr_t m;
    pthread_rwlockattr_t r;
    pthread_barrierattr_t b;
    pthread_condattr_t c;
    pthread_condattr_init(&c);
    pthread_condattr_setclock(&c, CLOCK_MONOTONIC);
    pthread_condattr_setpshared(&c, PTHREAD_PROCESS_PRIVATE);
    pthread_condattr_destroy(&c);
    pthread_mutexattr_init(&m);
    pthread_mutexattr_settype(&m, PTHREAD_MUTEX_DEFAULT);
    pthread_mutexattr_setprotocol(&m, PTHREAD_PRIO_NONE);
    pthread_mutexattr_setprioceiling(&m, 1);
    pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_PRIVATE);
    pthread_mutexattr_setrobust(&m, PTHREAD_MUTEX_STALLED);
    pthread_mutex_init(&mutex, &m);
    pthread_mutexattr_destroy(&m);
    pthread_rwlockattr_init(&r);
    pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_PRIVATE);
    pthread_rwlockattr_setkind_np(&r, PTHREAD_RWLOCK_PREFER_WRITER_NP);
    pthread_rwlock_init(&rwlock, &r);
    pthread_rwlockattr_destroy(&r);
    pthread_barrierattr_init(&b);
    pthread_barrierattr_setpshared(&b, PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(&barrier, &b, 1);
    pthread_barrierattr_destroy(&b);
}

int main(void)
{
    pthread_t t, d;
    pthread_attr_t attributes;
    struct sched_param parameters = {0};
    struct timespec moment = {0, 1};
    cpu_set_t cpus;
    sigset_t signals;
    static char stack[64];
    set_objects();
    CPU_ZERO(&cpus);
    CPU_SET(0, &cpus);
    pthread_atfork(0, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
    pthread_attr_setstack(&attributes, stack, sizeof stack);
    pthread_attr_setstackaddr(&attributes, stack);
    pthread_attr_setstacksize(&attributes, 1 << 16);
    pthread_attr_setguardsize(&attributes, 4096);
    pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM);
    pthread_attr_setinheritsched(&attributes, PTHREAD_INHERIT_SCHED);
    pthread_attr_setschedparam(&attributes, &parameters);
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
    pthread_attr_setaffinity_np(&attributes, sizeof cpus, &cpus);
    pthread_attr_setsigmask_np(&attributes, &signals);
    pthread_setattr_default_np(&attributes);
    pthread_create(&t, &attributes, run, 0);
    pthread_attr_destroy(&attributes);
    pthread_create(&d, 0, detached, 0);
    pthread_detach(d);
    pthread_setaffinity_np(t, sizeof cpus, &cpus);
    pthread_setschedparam(t, SCHED_OTHER, &parameters);
    pthread_setschedprio(t, 0);
    pthread_setconcurrency(2);
    assert(pthread_getconcurrency() == 0);
    sched_setaffinity(0, sizeof cpus, &cpus);
    sched_setparam(0, &parameters);
    sched_setscheduler(0, SCHED_OTHER, &parameters);
    struct sched_attr policy = {0};
    sched_setattr(0, &policy, 0);
    sleep(1);
    usleep(1);
    nanosleep(&moment, 0);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, 0);
    atomic_store(&x, 2);
    pthread_join(t, 0);
    return 0;
}
