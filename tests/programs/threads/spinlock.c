// A spinlock protects a counter; a third thread tries once: before, between or after, or while one of them holds it.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=10
// twin[rc11] `pthread_spin_destroy(&lock);` -> `pthread_spin_destroy(&lock); pthread_spin_lock(&lock);`: violation=spinlock
// twin[rc11] `pthread_spin_unlock(&lock);` -> ``: violation=deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *add(void *arg)
{
    pthread_spin_lock(&lock);
    counter++;
    pthread_spin_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int mine = 0;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    int result = pthread_spin_trylock(&lock);
    if (result == 0) {
        counter++;
        mine = 1;
        pthread_spin_unlock(&lock);
    } else {
        assert(result == EBUSY);
    }
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2 + mine);
    pthread_spin_destroy(&lock);
    return 0;
}
