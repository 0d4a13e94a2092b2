// Copying a struct of which a member was never written is legal; using that member is not.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1
// twin[sc,tso,rc11] `copy.used == 1` -> `cell->unused == 0`: violation=uninitialized line=32
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    char used;
    int unused;
    char text[4];
};

static struct pair *cell;

static void *writer(void *arg)
{
    cell = malloc(sizeof *cell);
    cell->used = 1;
    strcpy(cell->text, "a");
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, writer, NULL);
    pthread_join(a, NULL);
    struct pair copy = *cell, moved;
    memcpy(&moved, cell, sizeof moved);
    assert(copy.used == 1 && moved.text[0] == 'a');
    return 0;
}
