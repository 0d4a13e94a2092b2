/* The names of the Linux kernel for programs that are checked under its memory model: mazurka check --model lkmm.
   What orders what is in the kernel's tools/memory-model; each name here is what that model says of it. Accesses without
   one of these names are plain. Threads are created as in other C programs (pthread.h). */
#ifndef LKMM_H
#define LKMM_H

#include <stdint.h>
#include "mazurka.h"

/* Accesses of scalars and pointers. */
#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define smp_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define smp_store_mb(x, v) do { WRITE_ONCE(x, v); smp_mb(); } while (0)
#define rcu_dereference(p) READ_ONCE(p)
#define rcu_dereference_check(p, c) ((void)(c), READ_ONCE(p))
#define rcu_dereference_protected(p, c) ((void)(c), (p))
#define rcu_access_pointer(p) READ_ONCE(p)
#define rcu_assign_pointer(p, v) smp_store_release(&(p), (v))
#define RCU_INIT_POINTER(p, v) WRITE_ONCE(p, v)
#define smp_cond_load_relaxed(p, condition)                                       \
    (__extension__({                                                              \
        __typeof__(*(p)) VAL;                                                     \
        do VAL = READ_ONCE(*(p)); while (!(condition));                           \
        VAL;                                                                      \
    }))
#define smp_cond_load_acquire(p, condition)                                       \
    (__extension__({                                                              \
        __typeof__(*(p)) VAL;                                                     \
        do VAL = smp_load_acquire(p); while (!(condition));                       \
        VAL;                                                                      \
    }))

/* Barriers. */
void __VERIFIER_smp_rmb(void);
void __VERIFIER_smp_wmb(void);
void __VERIFIER_smp_mb_before_atomic(void);
void __VERIFIER_smp_mb_after_atomic(void);
void __VERIFIER_smp_mb_after_spinlock(void);
void __VERIFIER_smp_mb_after_unlock_lock(void);
#define barrier() __asm__ __volatile__("" ::: "memory")
#define cpu_relax() barrier()
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __VERIFIER_smp_rmb()
#define smp_wmb() __VERIFIER_smp_wmb()
#define smp_mb__before_atomic() __VERIFIER_smp_mb_before_atomic()
#define smp_mb__after_atomic() __VERIFIER_smp_mb_after_atomic()
#define smp_mb__after_spinlock() __VERIFIER_smp_mb_after_spinlock()
#define smp_mb__after_unlock_lock() __VERIFIER_smp_mb_after_unlock_lock()

/* RCU. Of nested critical sections, the outermost one counts. */
enum { __LKMM_SECTIONS = 8, __LKMM_NOT_BEGUN = 0, __LKMM_ENDS_NONE = 1, __LKMM_TOO_MANY = 2, __LKMM_ELSEWHERE = 3 };
void __VERIFIER_rcu_read_lock(void);
void __VERIFIER_rcu_read_unlock(void);
void __VERIFIER_synchronize_rcu(void);
void __VERIFIER_rcu_misuse(int);
__attribute__((weak)) _Thread_local unsigned __lkmm_rcu_depth; /* of the thread's sections */
static inline __attribute__((unused, always_inline)) void rcu_read_lock(void)
{
    if (__lkmm_rcu_depth++ == 0) __VERIFIER_rcu_read_lock();
}
static inline __attribute__((unused, always_inline)) void rcu_read_unlock(void)
{
    if (__lkmm_rcu_depth == 0) __VERIFIER_rcu_misuse(__LKMM_NOT_BEGUN);
    if (--__lkmm_rcu_depth == 0) __VERIFIER_rcu_read_unlock();
}
#define synchronize_rcu() __VERIFIER_synchronize_rcu()
#define synchronize_rcu_expedited() __VERIFIER_synchronize_rcu()

/* SRCU. An index is a byte of the srcu_struct, and belongs to the section of one thread that is open now. */
void __VERIFIER_srcu_read_lock(void *);
void __VERIFIER_srcu_read_unlock(void *);
void __VERIFIER_synchronize_srcu(void *);
struct srcu_struct { _Alignas(__LKMM_SECTIONS) unsigned char __sections[__LKMM_SECTIONS]; };
#define DEFINE_SRCU(name) struct srcu_struct name
#define DEFINE_STATIC_SRCU(name) static struct srcu_struct name
#define init_srcu_struct(ss) ((void)(ss), 0)
#define cleanup_srcu_struct(ss) ((void)(ss))
#define synchronize_srcu(ss) __VERIFIER_synchronize_srcu((ss)->__sections)
#define synchronize_srcu_expedited(ss) synchronize_srcu(ss)
/* What a thread has open, by index. */
__attribute__((weak)) _Thread_local struct {
    unsigned open;
    struct srcu_struct *of[__LKMM_SECTIONS];
} __lkmm_srcu;
static inline __attribute__((unused, always_inline)) int srcu_read_lock(struct srcu_struct *ss)
{
    int index = __builtin_ctz(~__lkmm_srcu.open);
    if (index >= __LKMM_SECTIONS) __VERIFIER_rcu_misuse(__LKMM_TOO_MANY);
    __lkmm_srcu.open |= 1u << index;
    __lkmm_srcu.of[index] = ss;
    __VERIFIER_srcu_read_lock(&ss->__sections[index]);
    return index;
}
static inline __attribute__((unused, always_inline)) _Bool __lkmm_is_open(struct srcu_struct *ss, int index)
{
    return 0 <= index && index < __LKMM_SECTIONS && (__lkmm_srcu.open >> index & 1) && __lkmm_srcu.of[index] == ss;
}
static inline __attribute__((unused, always_inline)) void __lkmm_end(struct srcu_struct *ss, int index)
{
    __VERIFIER_srcu_read_unlock(&ss->__sections[index]);
    __lkmm_srcu.open &= ~(1u << index);
    __lkmm_srcu.of[index] = 0;
}
static inline __attribute__((unused, always_inline)) void srcu_read_unlock(struct srcu_struct *ss, int index)
{
    if (!__lkmm_is_open(ss, index)) __VERIFIER_rcu_misuse(__LKMM_ENDS_NONE);
    __lkmm_end(ss, index);
}
static inline __attribute__((unused, always_inline)) int srcu_down_read(struct srcu_struct *ss)
{ return srcu_read_lock(ss); }
/* In the kernel, another thread may do that. */
static inline __attribute__((unused, always_inline)) void srcu_up_read(struct srcu_struct *ss, int index)
{
    if (!__lkmm_is_open(ss, index)) __VERIFIER_rcu_misuse(__LKMM_ELSEWHERE);
    __lkmm_end(ss, index);
}

/* Spinlocks. */
typedef struct { int __word; } spinlock_t;
typedef spinlock_t raw_spinlock_t;
#define __SPIN_LOCK_UNLOCKED { 0 }
#define DEFINE_SPINLOCK(name) spinlock_t name = __SPIN_LOCK_UNLOCKED
int __VERIFIER_spin_lock_init(spinlock_t *);
int __VERIFIER_spin_lock(spinlock_t *);
int __VERIFIER_spin_trylock(spinlock_t *);
int __VERIFIER_spin_unlock(spinlock_t *);
#define spin_lock_init(l) ((void)__VERIFIER_spin_lock_init(l))
#define spin_lock(l) ((void)__VERIFIER_spin_lock(l))
#define spin_trylock(l) __VERIFIER_spin_trylock(l)
#define spin_unlock(l) ((void)__VERIFIER_spin_unlock(l))
#define spin_is_locked(l) (READ_ONCE((l)->__word) != 0)
#define raw_spin_lock(l) spin_lock(l)
#define raw_spin_trylock(l) spin_trylock(l)
#define raw_spin_unlock(l) spin_unlock(l)

/* Exchanges. A compare-exchange that fails orders nothing without a barrier beside it. */
#define __LKMM_XCHG(p, v, order) __atomic_exchange_n((p), (v), order)
#define xchg(p, v) __LKMM_XCHG(p, v, __ATOMIC_SEQ_CST)
#define xchg_relaxed(p, v) __LKMM_XCHG(p, v, __ATOMIC_RELAXED)
#define xchg_acquire(p, v) __LKMM_XCHG(p, v, __ATOMIC_ACQUIRE)
#define xchg_release(p, v) __LKMM_XCHG(p, v, __ATOMIC_RELEASE)
#define __LKMM_CMPXCHG(p, old, new, order)                                                              \
    (__extension__({                                                                                    \
        __typeof__(*(p)) __lkmm_old = (old);                                                            \
        __atomic_compare_exchange_n((p), &__lkmm_old, (new), 0, order, __ATOMIC_RELAXED);               \
        __lkmm_old;                                                                                     \
    }))
#define cmpxchg(p, old, new) __LKMM_CMPXCHG(p, old, new, __ATOMIC_SEQ_CST)
#define cmpxchg_relaxed(p, old, new) __LKMM_CMPXCHG(p, old, new, __ATOMIC_RELAXED)
#define cmpxchg_acquire(p, old, new) __LKMM_CMPXCHG(p, old, new, __ATOMIC_ACQUIRE)
#define cmpxchg_release(p, old, new) __LKMM_CMPXCHG(p, old, new, __ATOMIC_RELEASE)
#define __LKMM_TRY_CMPXCHG(p, oldp, new, order) \
    __atomic_compare_exchange_n((p), (oldp), (new), 0, order, __ATOMIC_RELAXED)
#define try_cmpxchg(p, oldp, new) __LKMM_TRY_CMPXCHG(p, oldp, new, __ATOMIC_SEQ_CST)
#define try_cmpxchg_relaxed(p, oldp, new) __LKMM_TRY_CMPXCHG(p, oldp, new, __ATOMIC_RELAXED)
#define try_cmpxchg_acquire(p, oldp, new) __LKMM_TRY_CMPXCHG(p, oldp, new, __ATOMIC_ACQUIRE)
#define try_cmpxchg_release(p, oldp, new) __LKMM_TRY_CMPXCHG(p, oldp, new, __ATOMIC_RELEASE)

/* Atomics. Operations that return nothing do not count as reads for barriers. */
void __VERIFIER_update(void *object, int size, int operation, int64_t operand);
typedef struct { int counter; } atomic_t;
typedef struct { long counter; } atomic_long_t;
typedef struct { int64_t counter; } atomic64_t;
#define ATOMIC_INIT(i) { (i) }
#define ATOMIC_LONG_INIT(i) { (i) }
#define ATOMIC64_INIT(i) { (i) }

#define __LKMM_VOID(prefix, name, type, atomic, number, value)                                \
    static inline __attribute__((unused, always_inline)) void prefix##_##name(type i, atomic *v) \
    { __VERIFIER_update(&v->counter, sizeof v->counter, number, value); }
#define __LKMM_FETCH(prefix, name, builtin, type, atomic, value, suffix, order)               \
    static inline __attribute__((unused, always_inline)) type prefix##_fetch_##name##suffix(type i, atomic *v) \
    { return __atomic_fetch_##builtin(&v->counter, value, order); }
#define __LKMM_FETCHES(prefix, name, builtin, type, atomic, value)                            \
    __LKMM_FETCH(prefix, name, builtin, type, atomic, value, , __ATOMIC_SEQ_CST)              \
    __LKMM_FETCH(prefix, name, builtin, type, atomic, value, _relaxed, __ATOMIC_RELAXED)      \
    __LKMM_FETCH(prefix, name, builtin, type, atomic, value, _acquire, __ATOMIC_ACQUIRE)      \
    __LKMM_FETCH(prefix, name, builtin, type, atomic, value, _release, __ATOMIC_RELEASE)
#define __LKMM_STEPS(prefix, type, atomic, suffix)                                            \
    static inline __attribute__((unused, always_inline)) type prefix##_add_return##suffix(type i, atomic *v) \
    { return prefix##_fetch_add##suffix(i, v) + i; }                                          \
    static inline __attribute__((unused, always_inline)) type prefix##_sub_return##suffix(type i, atomic *v) \
    { return prefix##_fetch_sub##suffix(i, v) - i; }                                          \
    static inline __attribute__((unused, always_inline)) type prefix##_inc_return##suffix(atomic *v) \
    { return prefix##_fetch_add##suffix(1, v) + 1; }                                          \
    static inline __attribute__((unused, always_inline)) type prefix##_dec_return##suffix(atomic *v) \
    { return prefix##_fetch_sub##suffix(1, v) - 1; }                                          \
    static inline __attribute__((unused, always_inline)) type prefix##_fetch_inc##suffix(atomic *v) \
    { return prefix##_fetch_add##suffix(1, v); }                                              \
    static inline __attribute__((unused, always_inline)) type prefix##_fetch_dec##suffix(atomic *v) \
    { return prefix##_fetch_sub##suffix(1, v); }                                              \
    static inline __attribute__((unused, always_inline)) type prefix##_xchg##suffix(atomic *v, type new) \
    { return xchg##suffix(&v->counter, new); }                                                \
    static inline __attribute__((unused, always_inline)) type prefix##_cmpxchg##suffix(atomic *v, type old, type new) \
    { return cmpxchg##suffix(&v->counter, old, new); }                                        \
    static inline __attribute__((unused, always_inline)) _Bool prefix##_try_cmpxchg##suffix(atomic *v, type *old, type new) \
    { return try_cmpxchg##suffix(&v->counter, old, new); }
#define __LKMM_ATOMIC(prefix, type, atomic)                                                   \
    static inline __attribute__((unused, always_inline)) type prefix##_read(const atomic *v)  \
    { return READ_ONCE(v->counter); }                                                         \
    static inline __attribute__((unused, always_inline)) type prefix##_read_acquire(const atomic *v) \
    { return smp_load_acquire(&v->counter); }                                                 \
    static inline __attribute__((unused, always_inline)) void prefix##_set(atomic *v, type i) \
    { WRITE_ONCE(v->counter, i); }                                                            \
    static inline __attribute__((unused, always_inline)) void prefix##_set_release(atomic *v, type i) \
    { smp_store_release(&v->counter, i); }                                                    \
    __LKMM_VOID(prefix, add, type, atomic, 1, i)                                              \
    __LKMM_VOID(prefix, sub, type, atomic, 2, i)                                              \
    __LKMM_VOID(prefix, and, type, atomic, 3, i)                                              \
    __LKMM_VOID(prefix, andnot, type, atomic, 3, ~i)                                          \
    __LKMM_VOID(prefix, or, type, atomic, 4, i)                                               \
    __LKMM_VOID(prefix, xor, type, atomic, 5, i)                                              \
    static inline __attribute__((unused, always_inline)) void prefix##_inc(atomic *v) { prefix##_add(1, v); } \
    static inline __attribute__((unused, always_inline)) void prefix##_dec(atomic *v) { prefix##_sub(1, v); } \
    __LKMM_FETCHES(prefix, add, add, type, atomic, i)                                         \
    __LKMM_FETCHES(prefix, sub, sub, type, atomic, i)                                         \
    __LKMM_FETCHES(prefix, and, and, type, atomic, i)                                         \
    __LKMM_FETCHES(prefix, andnot, and, type, atomic, ~i)                                     \
    __LKMM_FETCHES(prefix, or, or, type, atomic, i)                                           \
    __LKMM_FETCHES(prefix, xor, xor, type, atomic, i)                                         \
    __LKMM_STEPS(prefix, type, atomic, )                                                      \
    __LKMM_STEPS(prefix, type, atomic, _relaxed)                                              \
    __LKMM_STEPS(prefix, type, atomic, _acquire)                                              \
    __LKMM_STEPS(prefix, type, atomic, _release)                                              \
    static inline __attribute__((unused, always_inline)) _Bool prefix##_sub_and_test(type i, atomic *v) \
    { return prefix##_sub_return(i, v) == 0; }                                                \
    static inline __attribute__((unused, always_inline)) _Bool prefix##_dec_and_test(atomic *v) \
    { return prefix##_dec_return(v) == 0; }                                                   \
    static inline __attribute__((unused, always_inline)) _Bool prefix##_inc_and_test(atomic *v) \
    { return prefix##_inc_return(v) == 0; }                                                   \
    static inline __attribute__((unused, always_inline)) _Bool prefix##_add_negative(type i, atomic *v) \
    { return prefix##_add_return(i, v) < 0; }                                                 \
    /* One that does not add orders nothing. */                                               \
    static inline __attribute__((unused, always_inline)) type prefix##_fetch_add_unless(atomic *v, type a, type u) \
    {                                                                                         \
        type old = prefix##_read(v);                                                          \
        while (old != u && !prefix##_try_cmpxchg(v, &old, old + a)) {}                        \
        return old;                                                                           \
    }                                                                                         \
    static inline __attribute__((unused, always_inline)) _Bool prefix##_add_unless(atomic *v, type a, type u) \
    { return prefix##_fetch_add_unless(v, a, u) != u; }                                       \
    static inline __attribute__((unused, always_inline)) _Bool prefix##_inc_not_zero(atomic *v) \
    { return prefix##_add_unless(v, 1, 0); }                                                  \
    static inline __attribute__((unused, always_inline)) type prefix##_dec_if_positive(atomic *v) \
    {                                                                                         \
        type old = prefix##_read(v);                                                          \
        while (old > 0 && !prefix##_try_cmpxchg(v, &old, old - 1)) {}                         \
        return old - 1;                                                                       \
    }

__LKMM_ATOMIC(atomic, int, atomic_t)
__LKMM_ATOMIC(atomic_long, long, atomic_long_t)
__LKMM_ATOMIC(atomic64, int64_t, atomic64_t)

#endif
