// A table made by pthread_once, and a cache per thread in front of it.
// expect[sc,tso,rc11]: verified
// Tested by hand instead: several threads make the table, or use it half made.
// twin[rc11] `pthread_once(&once, table_make);` -> `if (!table) table_make();`: violation=race lines=32,49
// The cache is shared among the threads.
// twin[rc11] `static _Thread_local struct cache cache;` -> `static struct cache cache;`: violation=race lines=47,50
// The writer of an entry does not take the lock.
// twin[rc11] `pthread_mutex_lock(&table->lock);` -> `if (0) pthread_mutex_lock(&table->lock);`: violation=mutex line=41
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define SLOTS 2

struct table {
    pthread_mutex_t lock;
    int squares[SLOTS]; // 0: not computed yet
};

struct cache {
    int key, square;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct table *table;
static _Thread_local struct cache cache;

static void table_make(void)
{
    struct table *made = calloc(1, sizeof *made);
    pthread_mutex_init(&made->lock, NULL);
    table = made;
}

static int table_find(struct table *table, int key)
{
    pthread_mutex_lock(&table->lock);
    if (!table->squares[key % SLOTS])
        table->squares[key % SLOTS] = key * key;
    int square = table->squares[key % SLOTS];
    pthread_mutex_unlock(&table->lock);
    return square;
}

static int square(int key)
{
    if (cache.key == key)
        return cache.square;
    pthread_once(&once, table_make);
    cache.key = key;
    cache.square = table_find(table, key);
    return cache.square;
}

static void *worker(void *arg)
{
    (void)arg;
    assert(square(3) == 9);
    assert(square(3) == 9);
    assert(square(2) == 4);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&table->lock);
    free(table);
    return 0;
}
