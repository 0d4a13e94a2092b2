// Message passing with the fences of POWER and RISC-V between relaxed accesses.
// expect[sc,tso,rc11]: verified complete=2 blocked=0
// twin[rc11] `lwsync` -> `isync`: violation=race
// twin[rc11] `fence r, rw` -> `nop`: violation=race
// twin[rc11] `fence r, rw` -> `fence rw, w`: violation=race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *send(void *unused)
{
    (void)unused;
    data = 42;
    __asm__ volatile("lwsync" ::: "memory");
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return 0;
}

static void *receive(void *unused)
{
    (void)unused;
    int ready = atomic_load_explicit(&flag, memory_order_relaxed);
    __asm__ volatile("fence r, rw" ::: "memory");
    if (ready)
        assert(data == 42);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, send, 0);
    pthread_create(&b, 0, receive, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
