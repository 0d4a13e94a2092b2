// Strong and weak references: the object goes with the last strong one, its control block with the last of all.
// expect[sc,tso,rc11]: verified
// twin[rc11] `&control->strong, 1, memory_order_release` -> `&control->strong, 1, memory_order_relaxed`: violation=freed line=47
// twin[rc11] `memory_order_acquire); // object` -> `memory_order_relaxed); // object`: violation=freed line=47
// twin[rc11] `&control->weak, 1, memory_order_release` -> `&control->weak, 1, memory_order_relaxed`: violation=freed line=39
// twin[rc11] `memory_order_acquire); // block` -> `memory_order_relaxed); // block`: violation=freed line=39
// An upgrade that revives an object whose destruction has begun.
// twin[sc,tso,rc11] `if (strong == 0)` -> `if (0)`: violation=double-free line=47
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct object {
    int value;
};

struct control {
    atomic_int strong;
    atomic_int weak; // and one more as long as there are strong ones
    struct object *object;
};

static struct control *make(int value)
{
    struct control *control = malloc(sizeof *control);
    control->object = malloc(sizeof *control->object);
    control->object->value = value;
    atomic_init(&control->strong, 1);
    atomic_init(&control->weak, 1);
    return control;
}

static void weak_put(struct control *control)
{
    if (atomic_fetch_sub_explicit(&control->weak, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire); // block
        free(control);
    }
}

static void strong_put(struct control *control)
{
    if (atomic_fetch_sub_explicit(&control->strong, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire); // object
        free(control->object);
        weak_put(control);
    }
}

// Relaxed: who has a weak reference has seen the object's creation, and the count is all that matters.
static bool upgrade(struct control *control)
{
    int strong = atomic_load_explicit(&control->strong, memory_order_relaxed);
    do {
        if (strong == 0)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&control->strong, &strong, strong + 1,
                                                    memory_order_relaxed, memory_order_relaxed));
    return true;
}

static void *owner(void *arg)
{
    struct control *control = arg;
    control->object->value += 1;
    strong_put(control);
    return NULL;
}

static void *observer(void *arg)
{
    struct control *control = arg;
    if (upgrade(control)) {
        assert(control->object != NULL);
        strong_put(control);
    }
    weak_put(control);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    struct control *control = make(41);
    atomic_fetch_add_explicit(&control->weak, 2, memory_order_relaxed);
    pthread_create(&threads[0], NULL, owner, control);
    pthread_create(&threads[1], NULL, observer, control);
    pthread_create(&threads[2], NULL, observer, control);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
