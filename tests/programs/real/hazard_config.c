// A configuration that is replaced while it is read: hazard pointers say which ones are in use.
// expect[sc,tso,rc11]: verified
// Reader and writer overlook each other, as in store buffering.
// twin[tso,rc11] `memory_order_seq_cst); // reader` -> `memory_order_acq_rel); // reader`: violation=freed line=64
// twin[rc11] `memory_order_seq_cst); // writer` -> `memory_order_acq_rel); // writer`: violation=freed line=64
// twin[rc11] `NULL, memory_order_release` -> `NULL, memory_order_relaxed`: violation=freed line=64
// twin[rc11] `.config, memory_order_acquire` -> `.config, memory_order_relaxed`: violation=freed line=64
// The pointer was loaded before it was protected.
// twin[sc,tso,rc11] `if (again == config)` -> `if (again)`: violation=freed line=64
// The new configuration is not handed over.
// twin[rc11] `&current, config, memory_order_acq_rel` -> `&current, config, memory_order_acquire`: violation=race lines=35,71
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define READERS 2

struct config {
    int version, limit;
};

struct hazard {
    _Alignas(64) _Atomic(struct config *) config;
};

static _Atomic(struct config *) current;
static struct hazard hazards[READERS];

static struct config *config_new(int version)
{
    struct config *config = malloc(sizeof *config);
    config->version = version;
    config->limit = 100 * version;
    return config;
}

static struct config *config_protect(struct hazard *hazard)
{
    struct config *config = atomic_load_explicit(&current, memory_order_relaxed);
    for (;;) {
        atomic_store_explicit(&hazard->config, config, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst); // reader: announce what we use before we look again
        struct config *again = atomic_load_explicit(&current, memory_order_acquire);
        if (again == config)
            return config;
        config = again;
    }
}

static void config_done(struct hazard *hazard)
{
    atomic_store_explicit(&hazard->config, NULL, memory_order_release); // our reads come before the free
}

static void config_replace(struct config *config)
{
    struct config *old = atomic_exchange_explicit(&current, config, memory_order_acq_rel);
    atomic_thread_fence(memory_order_seq_cst); // writer: unlink it before we look for users
    for (int i = 0; i < READERS; i++)
        while (atomic_load_explicit(&hazards[i].config, memory_order_acquire) == old)
            ;
    free(old);
}

static void *reader(void *arg)
{
    struct hazard *hazard = &hazards[(intptr_t)arg];
    struct config *config = config_protect(hazard);
    assert(config->limit == 100 * config->version);
    config_done(hazard);
    return NULL;
}

static void *writer(void *arg)
{
    (void)arg;
    config_replace(config_new(2));
    return NULL;
}

int main(void)
{
    pthread_t readers[READERS], writing;
    atomic_init(&current, config_new(1));
    for (intptr_t i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, reader, (void *)i);
    pthread_create(&writing, NULL, writer, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    pthread_join(writing, NULL);
    free(atomic_load(&current));
    return 0;
}
