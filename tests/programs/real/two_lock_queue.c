// A queue with a lock for each end: a dummy node keeps the two ends apart, and the links between them are atomic.
// expect[sc,tso,rc11]: verified
// The consumer takes another lock than the producer, so the link alone hands over the node.
// twin[rc11] `node, memory_order_release` -> `node, memory_order_relaxed`: violation=race lines=43,57
// twin[rc11] `&dummy->next, memory_order_acquire` -> `&dummy->next, memory_order_relaxed`: violation=race lines=43,57
// Each end needs its lock.
// twin[rc11] `pthread_mutex_lock(&queue->tail_lock);` -> `pthread_mutex_lock(&queue->head_lock);`: violation=mutex line=47
// twin[rc11] `&queue->head_lock); // take` -> `&queue->tail_lock); // take`: violation=mutex line=61
// The dummy is freed though the new dummy is what has to stay.
// twin[sc,rc11] `free(dummy);` -> `free(first);`: violation=freed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    int job;
};

struct queue {
    pthread_mutex_t head_lock;
    struct node *head; // the dummy; guarded by head_lock
    pthread_mutex_t tail_lock;
    struct node *tail; // guarded by tail_lock
};

static struct queue queue;

static void queue_init(struct queue *queue)
{
    struct node *dummy = calloc(1, sizeof *dummy);
    pthread_mutex_init(&queue->head_lock, NULL);
    pthread_mutex_init(&queue->tail_lock, NULL);
    queue->head = queue->tail = dummy;
}

static void queue_put(struct queue *queue, int job)
{
    struct node *node = malloc(sizeof *node);
    atomic_init(&node->next, NULL);
    node->job = job;
    pthread_mutex_lock(&queue->tail_lock);
    atomic_store_explicit(&queue->tail->next, node, memory_order_release);
    queue->tail = node;
    pthread_mutex_unlock(&queue->tail_lock);
}

static int queue_get(struct queue *queue)
{
    int job = 0;
    pthread_mutex_lock(&queue->head_lock); // take
    struct node *dummy = queue->head;
    struct node *first = atomic_load_explicit(&dummy->next, memory_order_acquire);
    if (first) {
        job = first->job;
        queue->head = first; // is the dummy from now on
        free(dummy);
    }
    pthread_mutex_unlock(&queue->head_lock);
    return job;
}

static void *producer(void *arg)
{
    queue_put(&queue, (int)(intptr_t)arg);
    return NULL;
}

static void *consumer(void *arg)
{
    (void)arg;
    return (void *)(intptr_t)queue_get(&queue);
}

int main(void)
{
    pthread_t threads[4];
    void *got[2];
    queue_init(&queue);
    for (intptr_t i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, producer, (void *)(i + 1));
        pthread_create(&threads[i + 2], NULL, consumer, NULL);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        pthread_join(threads[i + 2], &got[i]);
    }
    intptr_t sum = (intptr_t)got[0] + (intptr_t)got[1];
    for (int job; (job = queue_get(&queue));)
        sum += job;
    assert(sum == 1 + 2);
    return 0;
}
