// An intrusive queue for many producers and one consumer, as actor systems use it for their mailboxes.
// expect[sc,tso,rc11]: verified
// The store of a link and the initialisation of the same link are not ordered: a message gets lost.
// twin[rc11] `node, memory_order_acq_rel` -> `node, memory_order_relaxed`: violation=assertion line=88
// twin[rc11] `&before->next, node, memory_order_release` -> `&before->next, node, memory_order_relaxed`: violation=race lines=59,70
// twin[rc11] `&first->next, memory_order_acquire` -> `&first->next, memory_order_relaxed`: violation=race lines=59,70
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct link {
    _Atomic(struct link *) next;
};

struct message {
    struct link link; // first, so that a link is a message
    int payload;
};

struct mailbox {
    _Atomic(struct link *) last;
    struct link *first; // the consumer's: the link that it has taken last
};

static struct mailbox box;
static struct message stub, messages[2];

static void mailbox_init(struct mailbox *box)
{
    atomic_init(&box->last, &stub.link);
    box->first = &stub.link;
}

static void mailbox_put(struct mailbox *box, struct link *node)
{
    atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
    // Release: our store above comes before the one that the next producer makes to the same link.
    // Acquire: so does that of our predecessor.
    struct link *before = atomic_exchange_explicit(&box->last, node, memory_order_acq_rel);
    atomic_store_explicit(&before->next, node, memory_order_release); // hands the payload over
}

// The oldest message; NULL if there is none, or if its producer has not linked it yet.
static struct message *mailbox_take(struct mailbox *box)
{
    struct link *first = box->first;
    struct link *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (!next)
        return NULL;
    box->first = next;
    return (struct message *)next;
}

static void *producer(void *arg)
{
    struct message *message = &messages[(intptr_t)arg];
    message->payload = (int)(intptr_t)arg + 1;
    mailbox_put(&box, &message->link);
    return NULL;
}

static void *consumer(void *arg)
{
    int *sum = arg;
    for (int i = 0; i < 2; i++) {
        struct message *message = mailbox_take(&box);
        if (message)
            *sum += message->payload;
    }
    return NULL;
}

int main(void)
{
    pthread_t producers[2], consuming;
    int sum = 0;
    mailbox_init(&box);
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&producers[i], NULL, producer, (void *)i);
    pthread_create(&consuming, NULL, consumer, &sum);
    for (int i = 0; i < 2; i++)
        pthread_join(producers[i], NULL);
    pthread_join(consuming, NULL);
    for (struct message *message; (message = mailbox_take(&box));)
        sum += message->payload;
    assert(sum == 1 + 2);
    return 0;
}
