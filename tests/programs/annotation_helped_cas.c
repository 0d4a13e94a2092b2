// One thread announces a step and takes it; another one may take it in its place.
// expect[sc,tso,pso,ra,rc11,rc11-cpp11]: verified complete=3 blocked=0
// The helper sees nothing to do; or it sees the announcement, and either of the two takes the step.
// twin[sc,rc11] `__VERIFIER_helping_CAS(` -> `(`: violation=annotation
// twin[sc,rc11] `__VERIFIER_helped_CAS(` -> `(`: violation=annotation
// twin[sc,rc11] `&one, 2) // helper` -> `&one, 3) // helper`: violation=annotation
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int announced, step = 1;

static void *owner(void *arg)
{
    int one = 1;
    atomic_store(&announced, 1);
    (void)__VERIFIER_helped_CAS(atomic_compare_exchange_strong(&step, &one, 2));
    return arg;
}

static void *helper(void *arg)
{
    int one = 1;
    if (atomic_load(&announced)) {
        (void)__VERIFIER_helping_CAS(
            atomic_compare_exchange_strong(&step, &one, 2) // helper
        );
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, helper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
