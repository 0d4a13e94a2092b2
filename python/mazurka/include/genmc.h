/* Lets programs written for GenMC compile unchanged: the same names as mazurka.h, threads, hazard pointers, and hints
   that change how GenMC explores but not what a program means, which expand to nothing here. Mazurka finds by itself
   where a loop spins. */
#ifndef GENMC_H
#define GENMC_H

#include "mazurka.h"
#include <pthread.h>

/* Hints about loops. */
#define __VERIFIER_loop_begin() ((void)0)
#define __VERIFIER_spin_start() ((void)0)
#define __VERIFIER_spin_end(condition) ((void)(condition))
#define __VERIFIER_potential_spin_end(condition) ((void)(condition))
#define __VERIFIER_optional(block) block

/* Loops that wait, as in Dat3M and libvsync: await_while (c) body; await_do { body } while_await(c); */
#ifndef await_while
#define await_while(condition) while (condition)
#define await_do do
#define while_await(condition) while (condition)
#endif

/* Threads. Mazurka finds by itself which threads are symmetric. */
typedef pthread_t __VERIFIER_thread_t;
#define __VERIFIER_spawn(function, argument)                         \
    (__extension__({                                                 \
        pthread_t __VERIFIER_new;                                    \
        pthread_create(&__VERIFIER_new, 0, (function), (argument));  \
        __VERIFIER_new;                                              \
    }))
#define __VERIFIER_spawn_symmetric(function, argument, sibling) \
    ((void)(sibling), __VERIFIER_spawn(function, argument))
#define __VERIFIER_join(thread)                      \
    (__extension__({                                 \
        void *__VERIFIER_result;                     \
        pthread_join((thread), &__VERIFIER_result);  \
        __VERIFIER_result;                           \
    }))
#define __VERIFIER_thread_self() pthread_self()

/* Hazard pointers. What is retired is never freed, so nothing has to be protected: a use that should have been
   protected is not found. Protecting reads the pointer at an address. */
typedef struct { char __unused; } __VERIFIER_hp_t;
static __VERIFIER_hp_t __VERIFIER_hp __attribute__((unused));
#define __VERIFIER_hp_alloc() (&__VERIFIER_hp)
#define __VERIFIER_hp_free(hp) ((void)(hp))
#define __VERIFIER_hp_clear(hp) ((void)(hp))
#ifdef __cplusplus
extern "C"
#endif
void __VERIFIER_retire(void *);
#define __VERIFIER_hp_retire(object) __VERIFIER_retire(object)
#ifdef __cplusplus
#define __VERIFIER_hp_protect(hp, address) ((void)(hp), __atomic_load_n((void **)(address), __ATOMIC_ACQUIRE))
#else
#define __VERIFIER_hp_protect(hp, address)                                                                    \
    (__extension__({                                                                                          \
        _Static_assert(sizeof *(address) == sizeof(void *), "__VERIFIER_hp_protect takes the address of a pointer"); \
        (void)(hp);                                                                                           \
        __atomic_load_n((void **)(address), __ATOMIC_ACQUIRE);                                                \
    }))
#endif

/* Also with two arguments, the target and its value. */
#undef __VERIFIER_local_write
#define __VERIFIER_ONE_OR_TWO(one, two, name, ...) name
#define __VERIFIER_LOCAL_1(write) __VERIFIER_ANNOTATED(1, write)
#define __VERIFIER_LOCAL_2(target, value) __VERIFIER_ANNOTATED(1, (target) = (value))
#define __VERIFIER_local_write(...) \
    __VERIFIER_ONE_OR_TWO(__VA_ARGS__, __VERIFIER_LOCAL_2, __VERIFIER_LOCAL_1, 0)(__VA_ARGS__)

/* Hints about reads and compare-exchanges. */
#define __VERIFIER_speculative_read(...) (__VA_ARGS__)
#define __VERIFIER_confirming_read(...) (__VA_ARGS__)
#define __VERIFIER_final_CAS(...) __VERIFIER_final_write(__VA_ARGS__)
#define __CONFIRMATION_CAS_ANNOT
#define __confirmation_CAS(block) block
#define __speculative_CAS(block) block

#endif
