// A union read through another member, in private memory: bytes are bytes.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

union word {
    uint32_t whole;
    uint8_t bytes[4];
    float real;
};

static void *worker(void *arg)
{
    union word w;
    w.whole = 0x04030201;
    assert(w.bytes[0] == 1 && w.bytes[3] == 4);
    w.bytes[1] = 0xff;
    assert(w.whole == 0x0403ff01);
    w.real = 1.0f;
    assert(w.whole == 0x3f800000);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
