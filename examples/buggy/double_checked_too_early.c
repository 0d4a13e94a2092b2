// Lazy initialisation that says "done" before it is: the second thread skips the lock and reads a half-made object.
// The counterexample: the flag is raised, and the other thread looks at the object before it is filled in.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=assertion line=35
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int made;
static atomic_int width, height;

static void make(void)
{
    atomic_store(&made, 1); // should come last
    atomic_store(&width, 3);
    atomic_store(&height, 4);
}

static void make_once(void)
{
    if (atomic_load(&made))
        return;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&made))
        make();
    pthread_mutex_unlock(&lock);
}

static void *thread(void *arg)
{
    (void)arg;
    make_once();
    int area = atomic_load(&width) * atomic_load(&height);
    assert(area == 12);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
