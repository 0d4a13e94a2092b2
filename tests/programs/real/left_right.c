// Left-right: two copies of a table, so that readers never wait; the writer changes the one that nobody reads.
// expect[sc,tso,rc11]: verified
// The writer does not see a reader that does not see the switch.
// twin[rc11] `1, memory_order_seq_cst` -> `1, memory_order_relaxed`: violation=race lines=35,48
// twin[rc11] `!side, memory_order_seq_cst` -> `!side, memory_order_release`: violation=race lines=35,48
// twin[rc11] `-1, memory_order_release` -> `-1, memory_order_relaxed`: violation=race lines=35,48
// twin[rc11] `&lr->inside[version], memory_order_seq_cst` -> `&lr->inside[version], memory_order_relaxed`: violation=race lines=35,48
// The writer changes the second copy at once.
// twin[rc11] `    drain(lr, version);` -> ``: violation=race lines=35,48
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct table {
    int keys, sum;
};

struct left_right {
    pthread_mutex_t writers;
    atomic_int side;      // the copy to read
    atomic_int version;   // the counter for new readers
    atomic_int inside[2]; // readers, by version
    struct table copies[2];
};

static struct left_right shared = {.writers = PTHREAD_MUTEX_INITIALIZER};

static struct table left_right_read(struct left_right *lr)
{
    int version = atomic_load_explicit(&lr->version, memory_order_relaxed);
    // Arriving and looking for the side, against switching and looking for readers: all four are seq_cst.
    atomic_fetch_add_explicit(&lr->inside[version], 1, memory_order_seq_cst);
    int side = atomic_load_explicit(&lr->side, memory_order_seq_cst);
    struct table table = lr->copies[side];
    atomic_fetch_add_explicit(&lr->inside[version], -1, memory_order_release);
    return table;
}

static void drain(struct left_right *lr, int version)
{
    while (atomic_load_explicit(&lr->inside[version], memory_order_seq_cst))
        ;
}

static void change(struct table *table, int key)
{
    table->keys += 1;
    table->sum += key;
}

static void left_right_add(struct left_right *lr, int key)
{
    pthread_mutex_lock(&lr->writers);
    int side = atomic_load_explicit(&lr->side, memory_order_relaxed);
    int version = atomic_load_explicit(&lr->version, memory_order_relaxed);
    change(&lr->copies[!side], key);
    atomic_store_explicit(&lr->side, !side, memory_order_seq_cst);
    drain(lr, !version); // stragglers of the time before last
    atomic_store_explicit(&lr->version, !version, memory_order_relaxed);
    drain(lr, version);
    change(&lr->copies[side], key);
    pthread_mutex_unlock(&lr->writers);
}

static void *reader(void *arg)
{
    (void)arg;
    struct table table = left_right_read(&shared);
    assert(table.sum == 5 * table.keys);
    return NULL;
}

static void *writer(void *arg)
{
    (void)arg;
    left_right_add(&shared, 5);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i < 2 ? reader : writer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(left_right_read(&shared).keys == 1);
    return 0;
}
