// A writer changes a version and two words; a reader takes snapshots, as with a sequence lock but in a section.
// expect[sc,tso,pso,ra,rc11-ra,rc11]: verified complete=6 blocked=0
// twin[sc] __VERIFIER_atomic_take->take_in_parts: violation=assertion
// twin[rc11] __VERIFIER_atomic_take->take_in_parts: violation=race
// Two snapshots of three versions, in increasing order.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stddef.h>

#define take __VERIFIER_atomic_take

static struct state { long version, x, y; } state;

static void take(struct state *copy)
{
    copy->version = state.version;
    copy->x = state.x;
    copy->y = state.y;
}

static void *writer(void *arg)
{
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        state.version++;
        state.x = 2 * state.version;
        state.y = 3 * state.version;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *reader(void *arg)
{
    long before = 0;
    for (int i = 0; i < 2; i++) {
        struct state seen;
        take(&seen);
        assert(seen.x == 2 * seen.version && seen.y == 3 * seen.version);
        assert(seen.version >= before);
        before = seen.version;
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
