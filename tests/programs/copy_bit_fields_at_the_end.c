// Copies and fills of structs that end with bit-fields stay inside them.
// expect[sc,tso,pso,ra,rc11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct __attribute__((packed)) S {
    int a;
    unsigned b : 7;
};
struct T {
    char x;
    short a : 3;
};
struct U {
    char x;
    unsigned a : 17;
};

static struct S s[2];
static struct T t[2];
static struct U u[2];

static void *thread(void *unused) {
    s[0].b = 100, t[0].a = 3, u[0].a = 70000;
    s[1] = s[0], t[1] = t[0], u[1] = u[0];
    memset(&s[0], 0, sizeof s[0]), memset(&t[0], 0, sizeof t[0]), memset(&u[0], 0, sizeof u[0]);
    return unused;
}

int main(void) {
    struct S own;
    memset(&own, 1, sizeof own);
    struct S other = own;
    assert(other.b == 1 && other.a == 0x01010101);
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    pthread_join(id, 0);
    assert(s[1].b == 100 && t[1].a == 3 && u[1].a == 70000);
    assert(s[0].b == 0 && t[0].a == 0 && u[0].a == 0);
    return 0;
}
