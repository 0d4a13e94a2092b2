// Reference counts: who drops the last reference sees all that others did with the object. atomic_dec_and_test is a
// full barrier; atomic_inc orders nothing by itself.
// expect[lkmm]: verified
// twin[lkmm] `atomic_dec_and_test(&references)` -> `(atomic_dec_return_relaxed(&references) == 0)`: violation=assertion
// twin[lkmm] `smp_mb__before_atomic();` -> `barrier();`: violation=assertion
#include <assert.h>
#include <lkmm.h>
#include <pthread.h>

atomic_t references = ATOMIC_INIT(2), users = ATOMIC_INIT(0);
int used, announced;

void *user(void *unused) {
    WRITE_ONCE(used, 1);
    if (atomic_dec_and_test(&references))
        assert(READ_ONCE(announced) == 1);
    return unused;
}

void *other(void *unused) {
    WRITE_ONCE(announced, 1);
    smp_mb__before_atomic();
    atomic_inc(&users);
    if (atomic_dec_and_test(&references))
        assert(READ_ONCE(used) == 1);
    return unused;
}

void *watcher(void *unused) {
    if (atomic_read_acquire(&users) == 1)
        assert(READ_ONCE(announced) == 1);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, user, 0);
    pthread_create(&threads[1], 0, other, 0);
    pthread_create(&threads[2], 0, watcher, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
}
