// realloc and memmove also copy bytes that were never written.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1
// twin[sc,tso,rc11] `row[0] = 4;` -> `row[0] = row[1];`: violation=uninitialized line=15
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int *row;
static size_t count = 4;

static void *grow(void *arg)
{
    row = malloc(count * sizeof *row);
    row[0] = 4;
    int *longer = realloc(row, 2 * count * sizeof *row);
    memmove(longer + count, longer, count * sizeof *row);
    row = longer;
    return arg;
}

static int first(void)
{
    return row[count];
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, grow, NULL);
    pthread_join(a, NULL);
    assert(row[0] == 4 && first() == 4);
    return 0;
}
