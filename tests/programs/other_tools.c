// Assumptions, assertions, atomic sections and open values under the names that ESBMC, CBMC and KLEE have.
// The two sections come in either order; of the values 0, 1 and 2 the assumptions leave 1.
// expect[sc]: verified complete=2 blocked=0
// twin[sc] `value == 1` -> `value == 2`: violation=assertion line=33
// twin[sc] `count == 2` -> `count == 1`: violation=assertion line=32
// twin[sc] `klee_assume(value > 0)` -> `(void)0`: violation=assertion line=33
#include <pthread.h>
void __ESBMC_assert(_Bool condition, const char *says);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
void __CPROVER_assume(_Bool condition);
void __CPROVER_assert(_Bool condition, const char *says);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
void klee_assume(unsigned long condition);
int klee_range(int begin, int end, const char *name);
static int count;
static void *add(void *arg)
{
    __ESBMC_atomic_begin(); count++; __ESBMC_atomic_end();
    return arg;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    __CPROVER_atomic_begin(); count++; __CPROVER_atomic_end();
    pthread_join(thread, 0);
    int value = klee_range(0, 3, "value");
    klee_assume(value > 0);
    __CPROVER_assume(value < 2);
    __ESBMC_assert(count == 2, "both have counted");
    __CPROVER_assert(value == 1, "the value is one");
    return 0;
}
