// A struct is copied by bytes: a union's other member and padding that memcpy filled arrive, shared or private.
// expect[sc,tso,pso,ra,rc11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct ev {
    int kind;
    union {
        struct {
            char c;
            double d;
        } a;
        int v[4];
    } u;
};
struct gap {
    char c;
    int x;
};

static struct ev shared[2];
static struct gap gaps[2];

static int fifth(struct gap g) {
    return ((unsigned char *)&g)[2];
}

static void *thread(void *unused) {
    shared[1] = shared[0];
    assert(shared[1].kind == 7);
    gaps[1] = gaps[0];
    return unused;
}

int main(void) {
    int words[5] = {7, 1, 2, 3, 4};
    struct ev q[2];
    memcpy((char *)&q[0] + 8, words + 1, 16);
    q[0].kind = words[0];
    q[1] = q[0];
    for (int i = 0; i < 4; i++)
        assert(q[1].u.v[i] == i + 1);

    shared[0] = q[1];
    memset(gaps, 9, sizeof gaps[0]);
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    assert(((char *)&gaps[1])[2] == 9);
    assert(fifth(gaps[1]) == 9);
    return 0;
}
