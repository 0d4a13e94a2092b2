// Nested critical sections of RCU: a function has its own, and its caller's section lasts until the outermost end.
// expect[lkmm]: verified
// twin[lkmm] `rcu_read_lock(); // the outer one` -> ``: violation=rcu
// twin[lkmm] `rcu_read_unlock(); // of the helper` -> `rcu_read_unlock(); rcu_read_unlock();`: violation=rcu
// twin[lkmm] `rcu_read_lock(); // of the helper` -> `rcu_read_unlock();`: violation=rcu
// twin[lkmm] `int early = 0;` -> `rcu_read_unlock(); int early = 0; rcu_read_lock();`: violation=assertion
#include <assert.h>
#include <lkmm.h>
#include <pthread.h>

struct item { int value; };
struct item first = { 1 }, second = { 2 };
struct item *shared = &first;

struct item *find(void) {
    rcu_read_lock(); // of the helper
    struct item *seen = rcu_dereference(shared);
    rcu_read_unlock(); // of the helper
    return seen;
}

void *reader(void *unused) {
    rcu_read_lock(); // the outer one
    struct item *seen = find();
    int early = 0;
    assert(READ_ONCE(seen->value) != early);
    rcu_read_unlock();
    return unused;
}

void *updater(void *unused) {
    rcu_assign_pointer(shared, &second);
    synchronize_rcu();
    WRITE_ONCE(first.value, 0); // nobody looks at the old one any more
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, updater, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
}
