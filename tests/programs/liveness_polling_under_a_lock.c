// Two threads look at flags that nobody sets, each time with the same mutex taken: the mutex makes neither of them go on.
// expect[sc,tso,ra]: violation=liveness
// twin[sc,tso,ra] `atomic_int left, right;` -> `atomic_int left = 1, right = 1;`: verified complete=2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int left, right;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *waits(void *flag)
{
    int seen;
    do {
        pthread_mutex_lock(&mutex);
        seen = atomic_load_explicit((atomic_int *)flag, memory_order_relaxed);
        pthread_mutex_unlock(&mutex);
    } while (!seen);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, waits, &left);
    pthread_create(&t[1], NULL, waits, &right);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
