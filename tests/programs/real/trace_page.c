// A page of trace records: writers reserve room, fill it and commit it in any order, and a full page is flushed.
// expect[sc,tso,rc11]: verified
// twin[rc11] `&page->committed, 1, memory_order_release` -> `&page->committed, 1, memory_order_relaxed`: violation=race lines=44,57
// twin[rc11] `&page->committed, memory_order_acquire` -> `&page->committed, memory_order_relaxed`: violation=race lines=44,57
// Committed before it is written.
// twin[rc11] `page->records[slot] = event;` -> `commit(page); page->records[slot] = event;`: violation=race lines=44,57
// Reserved is not committed.
// twin[rc11] `&page->committed, memory_order_acquire) ==` -> `&page->reserved, memory_order_acquire) >=`: violation=race lines=44,57
// A commit that says how far it has come says the same about records that are not written yet.
// twin[rc11] `commit(page); // mine` -> `atomic_store_explicit(&page->committed, slot + 1, memory_order_release);`: violation=race lines=44,57
// One record too many.
// twin[sc,rc11] `if (slot >= RECORDS)` -> `if (slot > RECORDS)`: violation=unallocated line=44
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define RECORDS 2
#define WRITERS 3

struct page {
    atomic_int reserved;
    atomic_int committed;
    atomic_int dropped;
    int *records;
};

static struct page page;

static void commit(struct page *page)
{
    atomic_fetch_add_explicit(&page->committed, 1, memory_order_release);
}

static void trace(struct page *page, int event)
{
    int slot = atomic_fetch_add_explicit(&page->reserved, 1, memory_order_relaxed);
    if (slot >= RECORDS) {
        atomic_fetch_add_explicit(&page->dropped, 1, memory_order_relaxed);
        return;
    }
    page->records[slot] = event;
    commit(page); // mine
}

static bool is_full(struct page *page)
{
    return atomic_load_explicit(&page->committed, memory_order_acquire) == RECORDS;
}

static int flush(struct page *page)
{
    int sum = 0;
    for (int i = 0; i < RECORDS; i++)
        sum += page->records[i];
    return sum;
}

static void *writer(void *arg)
{
    trace(&page, (int)(intptr_t)arg);
    return NULL;
}

int main(void)
{
    pthread_t writers[WRITERS];
    page.records = calloc(RECORDS, sizeof *page.records);
    for (intptr_t i = 0; i < WRITERS; i++)
        pthread_create(&writers[i], NULL, writer, (void *)(i + 1));
    if (is_full(&page))
        flush(&page);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    assert(atomic_load(&page.dropped) == WRITERS - RECORDS);
    int sum = flush(&page);
    assert(3 <= sum && sum <= 5);
    free(page.records);
    return 0;
}
