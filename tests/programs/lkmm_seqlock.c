// A sequence lock: a reader that finds the same even number before and after has seen both halves of one update.
// expect[lkmm]: verified
// twin[lkmm] `smp_wmb(); // the number is odd before the halves change` -> `barrier();`: violation=assertion
// twin[lkmm] `smp_wmb(); // both halves are there` -> `barrier();`: violation=assertion
// twin[lkmm] `smp_rmb(); // the halves are read after the number` -> `barrier();`: violation=assertion
// twin[lkmm] `smp_rmb(); // the number is read again after them` -> `barrier();`: violation=assertion
#include <assert.h>
#include <lkmm.h>
#include <pthread.h>

unsigned sequence;
int left, right;

void *writer(void *unused) {
    WRITE_ONCE(sequence, 1);
    smp_wmb(); // the number is odd before the halves change
    WRITE_ONCE(left, 1);
    WRITE_ONCE(right, 1);
    smp_wmb(); // both halves are there
    WRITE_ONCE(sequence, 2);
    return unused;
}

void *reader(void *unused) {
    unsigned before = READ_ONCE(sequence);
    smp_rmb(); // the halves are read after the number
    int one = READ_ONCE(left), two = READ_ONCE(right);
    smp_rmb(); // the number is read again after them
    unsigned after = READ_ONCE(sequence);
    if (before == after && !(before & 1))
        assert(one == two);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
}
