// Two readers and a writer: readers may overlap with each other, not with the writer. The word of the lock orders all
// operations: R and its unlock, S and its unlock, W and its unlock. With W first, in the middle or last,
// the readers have 6 orders if they are on the same side of W, and 2 if W is between them.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=14 blocked=0
// twin[rc11] `pthread_rwlock_wrlock(&lock)` -> `pthread_rwlock_rdlock(&lock)`: violation=race
// twin[rc11] `pthread_rwlock_rdlock(&lock)` -> `pthread_rwlock_unlock(&lock)`: violation=rwlock
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    assert(x == y);
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    x = 1;
    y = 1;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t r, s, w;
    pthread_create(&r, 0, reader, 0);
    pthread_create(&s, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(r, 0);
    pthread_join(s, 0);
    pthread_join(w, 0);
    return 0;
}
