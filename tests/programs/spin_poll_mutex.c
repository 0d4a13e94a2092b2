// Two threads look at a flag with a mutex until it is set; a look that finds nothing has no effect.
// expect[sc,tso,ra,rc11,rc11-cpp11]: verified complete=2
// The looks that see the flag come after it was set, in either order.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static int look(void)
{
    pthread_mutex_lock(&mutex);
    int seen = flag;
    pthread_mutex_unlock(&mutex);
    return seen;
}

static void *wait(void *arg)
{
    while (!look())
        ;
    return arg;
}

static void *set(void *arg)
{
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, wait, NULL);
    pthread_create(&b, NULL, wait, NULL);
    pthread_create(&c, NULL, set, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
