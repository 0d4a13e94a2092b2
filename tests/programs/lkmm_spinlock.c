// The kernel's spinlocks exclude each other, and order what two threads do inside.
// expect[lkmm]: verified
// twin[lkmm] `spin_lock(&lock);` -> `if (!spin_trylock(&lock)) {}`: violation=spinlock
// twin[lkmm] `spin_unlock(&lock);` -> `smp_mb();`: violation=deadlock
#include <assert.h>
#include <lkmm.h>
#include <pthread.h>

DEFINE_SPINLOCK(lock);
int balance;

void *deposit(void *unused) {
    spin_lock(&lock);
    int before = READ_ONCE(balance);
    WRITE_ONCE(balance, before + 1);
    spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, deposit, 0);
    pthread_create(&threads[1], 0, deposit, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(READ_ONCE(balance) == 2);
}
