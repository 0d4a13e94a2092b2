// Seqlock: readers take no lock, and throw away what they read while a writer was at work. Source: Boehm 2012.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=11 blocked=0
// The writer makes four steps: sequence=1, left, right, sequence=2. A reader that finds 1 or 2 first has one
// continuation each. One that finds 0 reads left, right and sequence at ever later moments: (0,0) can end with
// sequence 0, 1 or 2; (0,1), (1,0) and (1,1) with 1 or 2. That is 1 + 1 + 3 + 2 + 2 + 2.
// twin[sc,tso,rc11] `atomic_load(&sequence) == before` -> `1`: violation=assertion
// twin[sc,tso,rc11] `if (before % 2)` -> `if (0)`: violation=assertion
// twin[sc,tso,rc11] `atomic_store(&sequence, start + 1)` -> `(void)0`: violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_int sequence;
static atomic_int left, right; // always equal, for who looks at the right time

static void write_both(int value)
{
    int start = atomic_load(&sequence);
    atomic_store(&sequence, start + 1); // odd: a write is under way
    atomic_store(&left, value);
    atomic_store(&right, value);
    atomic_store(&sequence, start + 2);
}

static bool try_read_both(int *l, int *r)
{
    int before = atomic_load(&sequence);
    if (before % 2)
        return false;
    *l = atomic_load(&left);
    *r = atomic_load(&right);
    return atomic_load(&sequence) == before;
}

static void *writer(void *arg)
{
    (void)arg;
    write_both(7);
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
