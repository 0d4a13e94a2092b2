// A seqlock whose reader looks at the sequence number before reading, but not again after it.
// The counterexample: the number is even when the reader looks, and the writer starts right then.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=assertion line=37
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_int sequence;
static atomic_int left, right;

static bool try_read_both(int *l, int *r)
{
    if (atomic_load(&sequence) % 2)
        return false;
    *l = atomic_load(&left);
    *r = atomic_load(&right);
    return true; // and what if the sequence moved meanwhile?
}

static void *writer(void *arg)
{
    (void)arg;
    atomic_store(&sequence, 1);
    atomic_store(&left, 7);
    atomic_store(&right, 7);
    atomic_store(&sequence, 2);
    return NULL;
}

static void *reader(void *arg)
{
    int l, r;
    (void)arg;
    if (try_read_both(&l, &r))
        assert(l == r);
    return NULL;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
