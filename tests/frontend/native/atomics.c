// Every atomic operation, in one thread: stdatomic.h, atomic_flag, __atomic and __sync builtins.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

atomic_int i = 5;
_Atomic unsigned char c = 250;
_Atomic long l;
_Atomic(int *) p;
atomic_bool b;
atomic_flag flag = ATOMIC_FLAG_INIT;
int plain = 10, array[4] = {1, 2, 3, 4};
_Atomic double d = 1.5;
struct two { int a, b; };
_Atomic struct two pair;

int main(void) {
    printf("%d %d %d\n", atomic_fetch_add(&i, 3), atomic_fetch_sub(&i, 1), atomic_load(&i));
    printf("%d %d %d\n", atomic_fetch_or(&i, 8), atomic_fetch_and(&i, 12), atomic_fetch_xor(&i, 5));
    printf("%d %d\n", atomic_exchange(&i, 100), i++);
    printf("%d %d %d\n", ++i, i += 5, c += 10);
    int expected = 1;
    bool ok = atomic_compare_exchange_strong(&i, &expected, 7);
    printf("%d %d\n", ok, expected);
    ok = atomic_compare_exchange_weak_explicit(&i, &expected, 7, memory_order_acq_rel, memory_order_acquire);
    printf("%d %d %d\n", ok, expected, i);
    atomic_store_explicit(&l, -1, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    printf("%ld %d %d\n", atomic_load_explicit(&l, memory_order_relaxed), atomic_flag_test_and_set(&flag),
           atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
    atomic_flag_clear(&flag);
    p = array;
    p++;
    printf("%d %d\n", *p, *atomic_fetch_add(&p, 2));
    b = true;
    printf("%d %d\n", b, atomic_exchange(&b, false));
    d = d * 2;
    d += 1;
    printf("%f\n", d);
    struct two t = {1, 2};
    atomic_store(&pair, t);
    t = atomic_load(&pair);
    printf("%d %d\n", t.a, t.b);
    printf("%d %d\n", __atomic_fetch_nand(&plain, 6, __ATOMIC_RELAXED), plain);
    printf("%d %d\n", __atomic_add_fetch(&plain, 20, __ATOMIC_SEQ_CST), __atomic_load_n(&plain, __ATOMIC_ACQUIRE));
    printf("%d %d\n", __sync_fetch_and_add(&plain, 1), __sync_val_compare_and_swap(&plain, 14, 3));
    printf("%d %d\n", __sync_bool_compare_and_swap(&plain, 14, 3), __sync_lock_test_and_set(&plain, 9));
    __sync_synchronize();
    __sync_lock_release(&plain);
    int copy, desired = 77;
    __atomic_load(&plain, &copy, __ATOMIC_SEQ_CST);
    __atomic_exchange(&plain, &desired, &copy, __ATOMIC_SEQ_CST);
    printf("%d %d %d\n", copy, plain, __atomic_fetch_max(&plain, 80, __ATOMIC_RELAXED));
    printf("%d %d\n", __atomic_fetch_min(&plain, 3, __ATOMIC_RELAXED), __atomic_test_and_set(&c, 5));
    printf("%d\n", atomic_is_lock_free(&i));
    return 0;
}
