// A reference-counted buffer: the last one to let go of it frees it.
// expect[sc,tso,rc11]: verified
// What an owner did with the buffer may come after another one has freed it.
// twin[rc11] `&buffer->references, 1, memory_order_release` -> `&buffer->references, 1, memory_order_relaxed`: violation=freed line=44
// twin[rc11] `atomic_thread_fence(memory_order_acquire)` -> `atomic_thread_fence(memory_order_relaxed)`: violation=freed line=44
// The count is read and written in two steps: another owner's goodbye gets lost, and nobody frees the buffer.
// twin[sc,rc11] `atomic_fetch_add_explicit(&buffer->references, 1, memory_order_relaxed)` -> `atomic_store(&buffer->references, atomic_load(&buffer->references) + 1)`: violation=assertion line=79
// A reference that is passed on without being counted.
// twin[sc,rc11] `buffer_get(buffer); // for the log` -> `(void)buffer;`: violation=freed line=50
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct buffer {
    atomic_int references;
    atomic_int reads; // statistics, by all owners
    int length;
};

static atomic_int freed;

static struct buffer *buffer_new(int length)
{
    struct buffer *buffer = malloc(sizeof *buffer);
    atomic_init(&buffer->references, 1);
    atomic_init(&buffer->reads, 0);
    buffer->length = length;
    return buffer;
}

// Relaxed: whoever makes a reference has one, so the count cannot drop to zero.
static void buffer_get(struct buffer *buffer)
{
    atomic_fetch_add_explicit(&buffer->references, 1, memory_order_relaxed);
}

static void buffer_put(struct buffer *buffer)
{
    // Release: what this owner did comes before the free, whoever does that.
    if (atomic_fetch_sub_explicit(&buffer->references, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire); // pairs with the other owners' releases
        atomic_fetch_add_explicit(&freed, 1, memory_order_relaxed);
        free(buffer);
    }
}

static void consume(struct buffer *buffer)
{
    atomic_fetch_add_explicit(&buffer->reads, 1, memory_order_relaxed);
    assert(buffer->length == 64);
    buffer_put(buffer);
}

static void *network(void *arg)
{
    consume(arg);
    return NULL;
}

static void *disk(void *arg)
{
    struct buffer *buffer = arg;
    buffer_get(buffer); // for the log
    consume(buffer);
    consume(buffer);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    struct buffer *buffer = buffer_new(64);
    buffer_get(buffer);
    pthread_create(&threads[0], NULL, network, buffer);
    pthread_create(&threads[1], NULL, disk, buffer);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&freed) == 1);
    return 0;
}
