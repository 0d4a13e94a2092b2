// Plain accesses under a spinlock, or around a grace period, are ordered; without the lock they race.
// expect[lkmm]: verified
// twin[lkmm] `spin_lock(&lock); // who adds` -> ``: violation=spinlock
// twin[lkmm] `total++; // under the lock` -> `spin_unlock(&lock); total++; spin_lock(&lock);`: violation=race
// twin[lkmm] `synchronize_rcu();` -> `smp_mb();`: violation=race
// twin[lkmm] `int before = gone;` -> `rcu_read_unlock(); int before = gone; rcu_read_lock();`: violation=race
#include <assert.h>
#include <lkmm.h>
#include <pthread.h>

DEFINE_SPINLOCK(lock);
int total, gone, stale;

void *add(void *unused) {
    spin_lock(&lock); // who adds
    total++; // under the lock
    spin_unlock(&lock);
    rcu_read_lock();
    if (!READ_ONCE(stale)) {
        int before = gone;
        (void)before;
    }
    rcu_read_unlock();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    spin_lock(&lock);
    total++;
    spin_unlock(&lock);
    WRITE_ONCE(stale, 1);
    synchronize_rcu();
    gone = 1; // who has seen that it is not stale has left
    pthread_join(thread, 0);
    assert(total == 2);
}
