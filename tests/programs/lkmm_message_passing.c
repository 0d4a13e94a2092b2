// Message passing with the barriers of the kernel.
// expect[lkmm]: verified complete=2 blocked=0
// twin[lkmm] smp_wmb();->barrier();: violation=assertion
// twin[lkmm] smp_rmb();->barrier();: violation=assertion
#include <assert.h>
#include <lkmm.h>
#include <pthread.h>

int data, flag;

void *sender(void *unused) {
    WRITE_ONCE(data, 42);
    smp_wmb();
    WRITE_ONCE(flag, 1);
    return unused;
}

void *receiver(void *unused) {
    if (READ_ONCE(flag)) {
        smp_rmb();
        assert(READ_ONCE(data) == 42);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, sender, 0);
    pthread_create(&threads[1], 0, receiver, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
}
