// A circular list whose head is in no item: the walk ends at the item that would be around the head, which lies far
// outside of it and is only compared.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct link { struct link *next; };
struct item { long data[30]; struct link link; int value; };
static struct link *head;

static struct item *item_of(struct link *link) {
    return (struct item *)((char *)link - offsetof(struct item, link));
}

static void add(int value) {
    struct item *item = malloc(sizeof *item);
    item->value = value;
    item->link.next = head->next;
    head->next = &item->link;
}

static void *sum(void *unused) {
    int total = 0;
    for (struct item *item = item_of(head->next); &item->link != head; item = item_of(item->link.next))
        total += item->value;
    assert(total == 3);
    return unused;
}

int main(void) {
    head = malloc(sizeof *head);
    head->next = head;
    add(1);
    add(2);
    assert(&item_of(head)->link == head && item_of(head)->link.next == head->next);
    pthread_t thread;
    pthread_create(&thread, 0, sum, 0);
    pthread_join(thread, 0);
    return 0;
}
