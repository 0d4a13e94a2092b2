// Structs copied in and out of shared memory under a mutex are never torn.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2
// One execution an order of the critical sections.
// twin[sc,tso] `READER_USES = 0` -> `READER_USES = 1`: violation=assertion
// twin[rc11] `READER_USES = 0` -> `READER_USES = 1`: violation=race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct point {
    long x, y;
};
static struct point shared;
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
enum { READER_USES = 0 };

static void *writer(void *arg)
{
    struct point p = {3, 3};
    pthread_mutex_lock(&mutexes[0]);
    memcpy(&shared, &p, sizeof p);
    pthread_mutex_unlock(&mutexes[0]);
    return arg;
}

static void *reader(void *arg)
{
    pthread_mutex_lock(&mutexes[READER_USES]);
    struct point p = shared;
    pthread_mutex_unlock(&mutexes[READER_USES]);
    assert(p.x == p.y);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
