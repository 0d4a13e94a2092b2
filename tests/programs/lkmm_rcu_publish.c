// RCU: a reader sees an object whole, and never after its memory was reused. Dependencies order its accesses.
// expect[lkmm]: verified
// twin[lkmm] `rcu_assign_pointer(shared, fresh);` -> `WRITE_ONCE(shared, fresh);`: violation=assertion
// twin[lkmm] `synchronize_rcu();` -> `smp_mb();`: violation=assertion
// twin[lkmm] `struct item *seen = rcu_dereference(shared);` -> `struct item *seen = rcu_dereference(shared); rcu_read_unlock(); rcu_read_lock();`: violation=assertion
// twin[lkmm] `rcu_read_lock();` -> `barrier();`: violation=rcu
#include <assert.h>
#include <lkmm.h>
#include <pthread.h>

struct item { int value; };
struct item first = { 1 }, second;
struct item *shared = &first;

void *updater(void *unused) {
    struct item *fresh = &second;
    WRITE_ONCE(fresh->value, 2);
    rcu_assign_pointer(shared, fresh);
    synchronize_rcu();
    WRITE_ONCE(first.value, 0); // nobody looks at the old one any more
    return unused;
}

void *reader(void *unused) {
    rcu_read_lock();
    struct item *seen = rcu_dereference(shared);
    int value = READ_ONCE(seen->value);
    rcu_read_unlock();
    assert(value == 1 || value == 2);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, updater, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
}
