// A lock that counts who wants it: who is not the first takes the attempt back, and tries again.
// expect[sc,tso,ra,rc11,rc11-cpp11]: verified complete=2
// INC-DEC-SPIN of the thesis. One of the two is first; what the other added and took back before has no effect.
// twin[sc] `seen == 0` -> `seen < 2`: violation=assertion
// twin[rc11] `seen == 0` -> `seen < 2`: violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wanted;
static int count;

static void *worker(void *arg)
{
    for (;;) {
        int seen = atomic_fetch_add(&wanted, 1);
        if (seen == 0)
            break;
        atomic_fetch_sub(&wanted, 1);
    }
    int before = count;
    count = before + 1;
    atomic_fetch_sub(&wanted, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2);
    return 0;
}
