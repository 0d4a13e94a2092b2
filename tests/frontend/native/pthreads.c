// Threads whose results do not depend on the schedule.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
struct job { int from, to; pthread_t thread; };

static void *work(void *arg) {
    struct job *job = arg;
    long sum = 0;
    for (int i = job->from; i < job->to; i++) sum += i;
    pthread_mutex_lock(&lock);
    total += (int)sum;
    pthread_mutex_unlock(&lock);
    if (job->from) pthread_exit((void *)sum);
    return (void *)sum;
}

int main(void) {
    struct job job = {0, 10};
    struct job *other = malloc(sizeof *other);
    *other = (struct job){10, 20};
    void *a, *b;
    pthread_mutex_t own;
    pthread_mutex_init(&own, NULL);
    printf("%d", pthread_mutex_trylock(&own));
    printf("%d\n", pthread_mutex_trylock(&own));
    pthread_mutex_unlock(&own);
    pthread_mutex_destroy(&own);
    pthread_create(&job.thread, NULL, work, &job);
    pthread_join(job.thread, &a);
    pthread_create(&other->thread, NULL, work, other);
    pthread_join(other->thread, &b);
    printf("%ld %ld %d %d\n", (long)a, (long)b, total, pthread_equal(pthread_self(), pthread_self()) != 0);
    free(other);
    return 0;
}
