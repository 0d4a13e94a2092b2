// Lazy creation without a lock: several threads may make the object, one publishes it, the others free theirs.
// expect[sc,tso,rc11]: verified
// twin[rc11] `memory_order_release, memory_order_acquire` -> `memory_order_relaxed, memory_order_acquire`: violation=race lines=26,49
// twin[rc11] `memory_order_release, memory_order_acquire` -> `memory_order_release, memory_order_relaxed`: violation=race lines=26,49
// twin[rc11] `&shared, memory_order_acquire` -> `&shared, memory_order_relaxed`: violation=race lines=26,49
// The loser goes on with its own copy.
// twin[sc,rc11] `return published; // the winner` -> `return made; // the winner`: violation=freed line=49
// The loser frees what the winner has published.
// twin[sc,rc11] `free(made);` -> `free(published);`: violation=freed line=41
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct dictionary {
    int words;
    _Atomic int lookups;
};

static _Atomic(struct dictionary *) shared;

static struct dictionary *dictionary_load(void)
{
    struct dictionary *made = malloc(sizeof *made);
    made->words = 1000;
    atomic_init(&made->lookups, 0);
    return made;
}

static struct dictionary *dictionary_get(void)
{
    struct dictionary *published = atomic_load_explicit(&shared, memory_order_acquire);
    if (published)
        return published;
    struct dictionary *made = dictionary_load();
    // Release: hands the contents over. Acquire on failure: takes those of the winner.
    if (atomic_compare_exchange_strong_explicit(&shared, &published, made,
                                                memory_order_release, memory_order_acquire))
        return made;
    free(made);
    return published; // the winner's
}

static void *spell(void *arg)
{
    (void)arg;
    struct dictionary *dictionary = dictionary_get();
    assert(dictionary->words == 1000);
    atomic_fetch_add_explicit(&dictionary->lookups, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, spell, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    struct dictionary *dictionary = atomic_load(&shared);
    assert(atomic_load(&dictionary->lookups) == 3);
    free(dictionary);
    return 0;
}
