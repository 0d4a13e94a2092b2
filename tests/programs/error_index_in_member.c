// An index leaves the array that it belongs to, but not the struct around it: the type of the member says so.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=unallocated line=63
// twin[sc,rc11] `shared.slots[index] = 1;` -> `shared.slots[index % 4] = 1;`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `int *first = shared.slots; first[index] = 1;`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `((int *)&shared)[index] = 1;`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `for (int *i = shared.slots; i != &shared.slots[index - 1]; i++) *i = 1;`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `packet->bytes[index] = 1;`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `packet->old[index] = 1;`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `packet->head.tags[index] = 1;`: violation=unallocated line=63
// twin[sc,rc11] `shared.slots[index] = 1;` -> `private.slots[index - 6] = 1;`: violation=unallocated line=63
// twin[sc,rc11] `shared.slots[index] = 1;` -> `private.slots[index - 2] = 1;`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `shared.pairs[index - 2].second = 1;`: violation=unallocated line=63
// twin[sc,rc11] `shared.slots[index] = 1;` -> `shared.pairs[index - 3].second = 1;`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `for (struct pair *i = shared.pairs; i != &shared.pairs[index - 2]; i++) i->first = 1;`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `int *end = &shared.slots[index - 1]; if (index < 5) *end = 1;`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `struct pair *end = &shared.pairs[index - 2]; if (index < 5) end->first = 1;`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `shared.pairs[index - 2] = (struct pair){1, 2};`: violation=unallocated line=63
// twin[sc,rc11] `shared.slots[index] = 1;` -> `private.pairs[index - 2] = made(1);`: violation=unallocated line=63
// twin[sc,rc11] `shared.slots[index] = 1;` -> `private.pairs[index - 3] = made(1);`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `private.pairs[index - 2] = made(0);`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `private.pairs[index - 2] = index ? made(1) : private.pairs[0];`: violation=unallocated line=63
// twin[sc,rc11] `shared.slots[index] = 1;` -> `private.boxes[index - 3] = (struct box){{1, 2}};`: violation=unallocated line=63
// twin[sc,rc11] `shared.slots[index] = 1;` -> `private.boxes[index - 4] = (struct box){{1, 2}};`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `private.crates[index - 3].box = filled(1);`: violation=unallocated line=63
// twin[sc,rc11] `shared.slots[index] = 1;` -> `private.crates[index - 4].box = filled(1);`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `table[1][index - 2] = 1;`: violation=unallocated line=63
// twin[sc,rc11] `shared.slots[index] = 1;` -> `table[0][index - 2] = 1;`: violation=unallocated line=63
// twin[sc,rc11] `shared.slots[index] = 1;` -> `table[index - 3][index - 3] = 1;`: verified complete=1
// twin[sc,rc11] `shared.slots[index] = 1;` -> `int rows[2][3] = {0}; rows[0][index - 2] = 1;`: violation=unallocated line=63
// twin[sc,rc11] `shared.slots[index] = 1;` -> `int rows[2][3] = {0}, *first = rows[0]; first[index] = 1;`: verified complete=1
#include <pthread.h>
#include <stdlib.h>

struct pair { int first, second; };
struct box { long values[4]; };
struct crate { int label; struct box box; };
struct ring {
    int slots[4], rest[4];
    struct pair pairs[3], more[3];
    struct box boxes[2], others[2];
    struct crate crates[2], last;
};
struct packet { struct { char tags[4]; int more; } head; union { char bytes[0]; char old[1]; }; };

static struct ring shared;
static int table[3][3];
static volatile int five = 5;

static struct pair made(int number)
{
    if (number == 0)
        pthread_exit(NULL);
    return (struct pair){number, number};
}

static struct box filled(long number) { return (struct box){{number}}; }

static void *work(void *arg)
{
    struct ring private = {0};
    struct packet *packet = malloc(sizeof *packet + 20);
    int index = five;
    shared.slots[index] = 1;
    free(packet);
    return private.slots[3] ? NULL : arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
