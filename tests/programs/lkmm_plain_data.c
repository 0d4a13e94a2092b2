// Plain data that is passed on by barriers is no data race of the kernel's: each access is done before the other begins.
// expect[lkmm]: verified
// twin[lkmm] smp_wmb();->barrier();: violation=race line=26
// twin[lkmm] smp_rmb();->barrier();: violation=race line=26
// twin[lkmm] `if (READ_ONCE(flag))` -> `if (1)`: violation=race
// twin[lkmm] `smp_wmb();` -> `WRITE_ONCE(flag, 1); smp_wmb();`: violation=race
// twin[lkmm] `data = 42;` -> `WRITE_ONCE(data, 42);`: verified
// twin[lkmm] `int seen = data;` -> `data = 7; int seen = 42;`: violation=race
// twin[lkmm] `int before = 0;` -> `int before = data;`: violation=race
#include <lkmm.h>
#include <pthread.h>

int data, flag, done;

void *sender(void *unused) {
    data = 42;
    smp_wmb();
    WRITE_ONCE(flag, 1);
    return unused;
}

void *receiver(void *unused) {
    int before = 0;
    if (READ_ONCE(flag)) {
        smp_rmb();
        int seen = data;
        done = seen != before;
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, sender, 0);
    pthread_create(&threads[1], 0, receiver, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return done;
}
