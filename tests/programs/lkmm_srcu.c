// SRCU: a reader of one list never sees an item after its memory was reused; grace periods of another domain do not help.
// Sections of a thread may overlap, and each ends with its own index.
// expect[lkmm]: verified
// twin[lkmm] `synchronize_srcu(&lists);` -> `synchronize_srcu(&others);`: violation=assertion
// twin[lkmm] `synchronize_srcu(&lists);` -> `synchronize_rcu();`: violation=assertion
// twin[lkmm] `srcu_read_unlock(&others, other); // the inner one` -> `srcu_read_unlock(&lists, index);`: violation=rcu
// twin[lkmm] `srcu_read_unlock(&others, other); // the inner one` -> `srcu_read_unlock(&lists, other);`: violation=rcu
// twin[lkmm] `srcu_read_unlock(&lists, index); // both are done` -> `srcu_read_unlock(&lists, index + 5);`: violation=rcu
// twin[lkmm] `srcu_read_unlock(&others, other); // the inner one` -> ``: verified
#include <assert.h>
#include <lkmm.h>
#include <pthread.h>

DEFINE_SRCU(lists);
DEFINE_STATIC_SRCU(others);
struct item { int value; };
struct item first = { 1 }, second;
struct item *shared = &first;

void *updater(void *unused) {
    WRITE_ONCE(second.value, 2);
    rcu_assign_pointer(shared, &second);
    synchronize_srcu(&lists);
    WRITE_ONCE(first.value, 0); // nobody looks at the old one any more
    return unused;
}

void *reader(void *unused) {
    int index = srcu_read_lock(&lists);
    int other = srcu_read_lock(&others);
    struct item *seen = rcu_dereference(shared);
    srcu_read_unlock(&others, other); // the inner one
    int value = READ_ONCE(seen->value);
    srcu_read_unlock(&lists, index); // both are done
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
