// A mutex in one word over a futex: free, taken, or taken with sleepers; a small futex stands for the kernel's.
// expect[sc,tso,rc11]: verified
// twin[rc11] `TAKEN, memory_order_acquire` -> `TAKEN, memory_order_relaxed`: violation=race lines=77,77
// twin[rc11] `CONTENDED, memory_order_acquire` -> `CONTENDED, memory_order_relaxed`: violation=race lines=77,77
// twin[rc11] `FREE, memory_order_release` -> `FREE, memory_order_relaxed`: violation=race lines=77,77
// The kernel has to look at the word before it lets a thread sleep: the wake-up may have come before.
// twin[sc,rc11] `if (atomic_load_explicit(word, memory_order_relaxed) == expected)` -> ``: violation=deadlock line=37
// A woken thread forgets that others may sleep, too.
// twin[sc,rc11] `mark_contended(mutex); // again` -> `atomic_exchange(&mutex->state, TAKEN);`: violation=deadlock line=37
// An unlock that wakes nobody.
// twin[sc,rc11] `== CONTENDED)` -> `== FREE)`: violation=deadlock line=37
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 3

enum { FREE, TAKEN, CONTENDED };

struct mutex {
    atomic_int state;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t sleepers;
} kernel = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};

static struct mutex mutex;
static int open_files; // guarded by mutex

static void futex_wait(atomic_int *word, int expected)
{
    pthread_mutex_lock(&kernel.lock);
    if (atomic_load_explicit(word, memory_order_relaxed) == expected)
        pthread_cond_wait(&kernel.sleepers, &kernel.lock);
    pthread_mutex_unlock(&kernel.lock);
}

static void futex_wake_one(void)
{
    pthread_mutex_lock(&kernel.lock);
    pthread_cond_signal(&kernel.sleepers);
    pthread_mutex_unlock(&kernel.lock);
}

static int mark_contended(struct mutex *mutex)
{
    return atomic_exchange_explicit(&mutex->state, CONTENDED, memory_order_acquire);
}

static void mutex_lock(struct mutex *mutex)
{
    int state = FREE;
    if (atomic_compare_exchange_strong_explicit(&mutex->state, &state, TAKEN, memory_order_acquire,
                                                memory_order_relaxed))
        return;
    if (state != CONTENDED)
        state = mark_contended(mutex);
    while (state != FREE) {
        futex_wait(&mutex->state, CONTENDED);
        state = mark_contended(mutex); // again
    }
}

static void mutex_unlock(struct mutex *mutex)
{
    if (atomic_exchange_explicit(&mutex->state, FREE, memory_order_release) == CONTENDED)
        futex_wake_one();
}

static void *thread(void *arg)
{
    (void)arg;
    mutex_lock(&mutex);
    open_files++;
    mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(open_files == THREADS);
    return 0;
}
