// A counter that two threads advance does not fit its type any more; and shifts by too much. Only --undefined asks.
// mazurka: --undefined
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=overflow line=24
// twin[sc,rc11] `INT_MAX - 1` -> `INT_MAX - 2`: verified
// twin[sc,rc11] `int next = seen + 1;` -> `int next = (unsigned)seen + 1;`: verified
// twin[sc,rc11] `int next = seen + 1;` -> `int next = seen - INT_MIN;`: violation=overflow line=24
// twin[sc,rc11] `int next = seen + 1;` -> `int next = -1 - seen;`: verified
// twin[sc,rc11] `int next = seen + 1;` -> `int next = seen * 2;`: violation=overflow line=24
// twin[sc,rc11] `int next = seen + 1;` -> `long next = (long)seen * 2;`: verified
// twin[sc,rc11] `int next = seen + 1;` -> `unsigned next = 1u << (seen & 63);`: violation=undefined line=24
// twin[sc,rc11] `int next = seen + 1;` -> `unsigned next = 1u << (seen & 31);`: verified
// twin[sc,rc11] `int next = seen + 1;` -> `int next = (INT_MIN + (seen == 0)) / (seen < 0 ? 1 : -1);`: violation=overflow line=24
// twin[sc,rc11] `int next = seen + 1;` -> `short next = (short)seen; next++;`: verified
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter = INT_MAX - 1;

static void *advance(void *arg)
{
    int seen = atomic_load(&counter);
    int next = seen + 1;
    atomic_store(&counter, (int)(next < 0 ? 0 : next & INT_MAX));
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, advance, NULL);
    pthread_create(&b, NULL, advance, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
