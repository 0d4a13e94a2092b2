// Message passing: the reader reads where the flag leads, after a branch that the flag decides.
// expect[sc,tso]: verified complete=2 blocked=0
// expect[pso,rc11,imm,armv8,armv7,power,riscv,lkmm]: verified complete=3 blocked=0
// The reads are ordered by the address; that the second one misses the write is due to the writer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready, cells[2];
static int seen;

static void *writer(void *arg)
{
    atomic_store_explicit(&cells[1], 42, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return arg;
}

static void *reader(void *arg)
{
    int at = atomic_load_explicit(&ready, memory_order_relaxed);
    if (at == 1)
        seen = atomic_load_explicit(&cells[at], memory_order_relaxed);
    return arg;
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
