// Double-checked locking: the mutex is taken only until the first caller has made the object.
// expect[sc,tso,rc11]: verified
// twin[rc11] `locale, memory_order_release` -> `locale, memory_order_relaxed`: violation=race lines=24,50
// twin[rc11] `&instance, memory_order_acquire` -> `&instance, memory_order_relaxed`: violation=race lines=24,50
// The second check is forgotten.
// twin[sc,tso,rc11] `if (!locale) { // still` -> `if (1) { // still`: violation=assertion line=61
// Published before it is filled in.
// twin[sc,tso] `locale_fill(locale); // first` -> `atomic_store(&instance, locale); locale_fill(locale);`: violation=assertion line=50
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct locale {
    char decimal, group;
};

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct locale *) instance;
static atomic_int made;

static void locale_fill(struct locale *locale)
{
    locale->decimal = '.';
    locale->group = ',';
    atomic_fetch_add_explicit(&made, 1, memory_order_relaxed);
}

static struct locale *locale_get(void)
{
    // Acquire: pairs with the release below, for callers that do not take the mutex.
    struct locale *locale = atomic_load_explicit(&instance, memory_order_acquire);
    if (locale)
        return locale;
    pthread_mutex_lock(&making);
    locale = atomic_load_explicit(&instance, memory_order_relaxed); // the mutex orders it
    if (!locale) { // still
        locale = calloc(1, sizeof *locale);
        locale_fill(locale); // first
        atomic_store_explicit(&instance, locale, memory_order_release);
    }
    pthread_mutex_unlock(&making);
    return locale;
}

static void *formatter(void *arg)
{
    (void)arg;
    struct locale *locale = locale_get();
    assert(locale->decimal == '.' && locale->group == ',');
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, formatter, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&made) == 1);
    free(atomic_load(&instance));
    return 0;
}
