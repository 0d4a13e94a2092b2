/* Functions that a checked program may call to talk to Mazurka. */
#ifndef MAZURKA_H
#define MAZURKA_H

#ifdef __cplusplus
extern "C" {
#define __VERIFIER_BOOL bool
#else
#define __VERIFIER_BOOL _Bool
#endif

/* Only executions in which the condition holds are of interest: else the thread stops here. */
void __VERIFIER_assume(int condition);

/* Reports a violation if the condition does not hold, like assert. */
void __VERIFIER_assert(int condition);

/* One of the values from low to high: all of them are explored. */
int __VERIFIER_nondet_range(int low, int high);

/* Any value of the type. */
__VERIFIER_BOOL __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
signed char __VERIFIER_nondet_schar(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
__SIZE_TYPE__ __VERIFIER_nondet_size_t(void);
void *__VERIFIER_nondet_pointer(void);

/* The same under the names that ESBMC, CBMC, Nidhugg and KLEE have; klee_range leaves its end out. */
void __ESBMC_assume(__VERIFIER_BOOL condition);
void __ESBMC_assert(__VERIFIER_BOOL condition, const char *says);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
void __CPROVER_assume(__VERIFIER_BOOL condition);
void __CPROVER_assert(__VERIFIER_BOOL condition, const char *says);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
void __VERIFIER_assume_bool(__VERIFIER_BOOL condition);
void klee_assume(__UINTPTR_TYPE__ condition);
int klee_range(int begin, int end, const char *name);

/* Called in a loop: cuts the loop after so many iterations, a constant. The verdict is then 'bounded' at best. */
void __VERIFIER_loop_bound(int bound);

/* What a thread does from begin to end happens at once: an atomic section. So does all that a function does whose name
   begins with __VERIFIER_atomic_. Sections may lie in each other. */
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

/* Annotations say something about the one write or compare-exchange in them, and have its value:
   __VERIFIER_final_write(atomic_store(&x, 1)). They are checked: one that does not hold is a violation. */
void __VERIFIER_annotate(int annotation);
#ifdef __cplusplus
#define __VERIFIER_ANNOTATED(annotation, ...) (__extension__({ __VERIFIER_annotate(annotation); __VA_ARGS__; }))
#else
/* The value is kept until the end of the annotation is announced; of what has none it is 0. */
#define __VERIFIER_HAS_NO_VALUE(...) __builtin_types_compatible_p(__typeof__(__VA_ARGS__), void)
#define __VERIFIER_VALUE(...) \
    __builtin_choose_expr(__VERIFIER_HAS_NO_VALUE(__VA_ARGS__), ((__VA_ARGS__), 0), (__VA_ARGS__))
#define __VERIFIER_ANNOTATED(annotation, ...)                                               \
    (__extension__({                                                                        \
        __VERIFIER_annotate(annotation);                                                    \
        __typeof__(__VERIFIER_VALUE(__VA_ARGS__)) __VERIFIER_value = __VERIFIER_VALUE(__VA_ARGS__); \
        __VERIFIER_annotate(0xff);                                                          \
        __VERIFIER_value;                                                                   \
    }))
#endif

/* All other writes of the variable happen before this one. */
#define __VERIFIER_final_write(...) __VERIFIER_ANNOTATED(0, __VA_ARGS__)

/* Other threads read what it writes only if it happens before they do. */
#define __VERIFIER_local_write(...) __VERIFIER_ANNOTATED(1, __VA_ARGS__)

/* If a helped compare-exchange fails, another helped one or a helping one has done the same; what a helping one does, a
   helped one does or has tried. Use them as statements: if nobody looks at what they return, a helping one waits for the
   thread that it helps, whose next step after it has announced what it does must be the helped one. */
#define __VERIFIER_helped_CAS(...) __VERIFIER_ANNOTATED(2, __VA_ARGS__)
#define __VERIFIER_helping_CAS(...) __VERIFIER_ANNOTATED(3, __VA_ARGS__)

/* Expects what the thread read last from the same variable. If that was the step before, then executions do not count in
   which the value was changed and changed back in between. */
#define __VERIFIER_confirming_CAS(...) __VERIFIER_ANNOTATED(4, __VA_ARGS__)

/* Reports a violation. */
void __VERIFIER_error(void) __attribute__((noreturn));
void reach_error(void);

#ifdef __cplusplus
}
#endif

#endif
