// Ring buffer for one producer and one consumer, with every ordering at seq_cst: for 'mazurka tune' to weaken. Source: Lamport 1983.
// expect[sc,tso,rc11]: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SIZE 2
#define ITEMS 3

static int slots[SIZE];
static atomic_uint head, tail; // the consumer moves head, the producer moves tail

static bool put(int item)
{
    unsigned end = atomic_load(&tail);
    if (end - atomic_load(&head) == SIZE)
        return false; // full
    slots[end % SIZE] = item;
    atomic_store(&tail, end + 1);
    return true;
}

static bool take(int *item)
{
    unsigned start = atomic_load(&head);
    if (atomic_load(&tail) == start)
        return false; // empty
    *item = slots[start % SIZE];
    atomic_store(&head, start + 1);
    return true;
}

static void *producer(void *arg)
{
    (void)arg;
    for (int item = 1; item <= ITEMS; item++)
        if (!put(item))
            break;
    return NULL;
}

static void *consumer(void *arg)
{
    int item;
    (void)arg;
    for (int expected = 1; expected <= ITEMS; expected++) {
        if (!take(&item))
            break;
        assert(item == expected);
    }
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
