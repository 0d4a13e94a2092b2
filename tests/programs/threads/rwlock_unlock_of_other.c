// A thread gives back a read-write lock that it does not hold, while another thread holds it for reading.
// expect[sc,tso,pso,rc11,rc11-cpp11]: violation=rwlock line=19
// twin[rc11] `pthread_rwlock_unlock(&lock); /* too much */` -> ``: verified blocked=0
// twin[rc11] `pthread_rwlock_rdlock(&lock); /* other */` -> `pthread_rwlock_rdlock(&lock), pthread_rwlock_rdlock(&lock);`: verified blocked=0
// twin[rc11] `pthread_rwlock_rdlock(&lock); /* other */` -> `pthread_rwlock_wrlock(&lock);`: violation=rwlock line=19
// twin[rc11] `pthread_rwlock_rdlock(&lock); /* main */` -> `pthread_rwlock_wrlock(&lock);`: violation=rwlock line=19
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock); /* other */
    int seen = data;
    (void)seen;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock); /* too much */
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    pthread_rwlock_rdlock(&lock); /* main */
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
