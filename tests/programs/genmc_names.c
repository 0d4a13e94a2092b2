// Names that GenMC and Dat3M have: threads, hazard pointers, hints, and loops that wait.
// The reader sees the node, or that it was removed; then it waits for the flag.
// expect[sc,rc11]: verified complete=2 blocked=0
// twin[sc] `n->v == 3` -> `n->v == 4`: violation=assertion line=16
#include <genmc.h>
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int v; };
static _Atomic(struct node *) top;
static atomic_int flag;
static void *reader(void *arg)
{
    __VERIFIER_hp_t *hp = __VERIFIER_hp_alloc();
    struct node *n = __VERIFIER_hp_protect(hp, &top);
    if (n) assert(n->v == 3);
    __VERIFIER_hp_clear(hp);
    __VERIFIER_hp_free(hp);
    __VERIFIER_loop_begin();
    await_while (__VERIFIER_speculative_read(atomic_load(&flag)) == 0);
    return (void *)7L;
}
static void *pop(void *arg)
{
    struct node *n = atomic_exchange(&top, NULL);
    __VERIFIER_hp_retire(n);
    atomic_store(&flag, 1);
    return arg;
}
int main(void)
{
    struct node *n = malloc(sizeof *n);
    n->v = 3;
    atomic_store(&top, n);
    __VERIFIER_thread_t a = __VERIFIER_spawn(reader, NULL);
    __VERIFIER_thread_t b = __VERIFIER_spawn_symmetric(pop, NULL, a);
    assert(__VERIFIER_join(a) == (void *)7L);
    __VERIFIER_join(b);
    return 0;
}
