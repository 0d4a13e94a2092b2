// A ring buffer that thinks it has one slot more than it has: the producer overwrites what was not read yet.
// The counterexample: three items go into two slots, and the consumer's first item is the third.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=assertion line=49
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SIZE 2
#define ITEMS 3

static int slots[SIZE];
static atomic_uint head, tail;

static bool put(int item)
{
    unsigned end = atomic_load(&tail);
    if (end - atomic_load(&head) > SIZE) // should be >=
        return false;
    slots[end % SIZE] = item;
    atomic_store(&tail, end + 1);
    return true;
}

static bool take(int *item)
{
    unsigned start = atomic_load(&head);
    if (atomic_load(&tail) == start)
        return false;
    *item = slots[start % SIZE];
    atomic_store(&head, start + 1);
    return true;
}

static void *producer(void *arg)
{
    (void)arg;
    for (int item = 1; item <= ITEMS; item++)
        put(item);
    return NULL;
}

static void *consumer(void *arg)
{
    int item;
    (void)arg;
    if (take(&item))
        assert(item == 1);
    return NULL;
}

int main(void)
{
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
