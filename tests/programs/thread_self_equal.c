// pthread_self returns what pthread_create returned; two threads differ.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_t ids[2];

static void *worker(void *arg)
{
    ids[(intptr_t)arg] = pthread_self();
    assert(pthread_equal(pthread_self(), pthread_self()));
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], NULL);
        assert(pthread_equal(t[i], ids[i]));
    }
    assert(!pthread_equal(ids[0], ids[1]));
    assert(!pthread_equal(ids[0], pthread_self()));
    return 0;
}
