// Arrays of structs with arrays in them, indexed by values that are read.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=2 blocked=0
// The reader uses row 0 or row 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct row {
    short id;
    int cells[3];
};
static struct row rows[2] = {{7, {1, 2, 3}}, {8, {4, 5, 6}}};
static atomic_int current;

static void *writer(void *arg)
{
    atomic_store(&current, 1);
    return arg;
}

static void *reader(void *arg)
{
    struct row *row = &rows[atomic_load(&current)];
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += row->cells[i];
    assert((row->id == 7 && sum == 6) || (row->id == 8 && sum == 15));
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
