// Atomics of 8, 16, 32 and 64 bits wrap around where they should.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=16 blocked=0
// Two orders a location, as in rmw_two_locations: 2^4.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic uint8_t u8 = UINT8_MAX;
static _Atomic uint16_t u16 = UINT16_MAX;
static _Atomic uint32_t u32 = UINT32_MAX;
static _Atomic uint64_t u64 = UINT64_MAX;

static void *inc(void *arg)
{
    atomic_fetch_add(&u8, 1);
    atomic_fetch_add(&u16, 1);
    atomic_fetch_add(&u32, 1);
    atomic_fetch_add(&u64, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, inc, NULL);
    pthread_create(&b, NULL, inc, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&u8) == 1 && atomic_load(&u16) == 1);
    assert(atomic_load(&u32) == 1 && atomic_load(&u64) == 1);
    return 0;
}
