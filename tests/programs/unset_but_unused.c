// What is never used may stay unset: members that are only copied, neighbours of bit-fields, the rest of an array,
// variables that one condition both sets and reads.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=1
// twin[sc,rc11] `sum += copy.x;` -> `sum += copy.y;`: violation=uninitialized line=49
// twin[sc,rc11] `if (odd) late` -> `if (odd > 1) late`: violation=uninitialized line=47
// twin[sc,rc11] `sum += way;` -> `sum += other;`: violation=uninitialized line=62
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct mixed { char tag; long value; char end; };
struct flags { unsigned low : 3, high : 5; };

static struct point half(int x)
{
    struct point made;
    made.x = x;
    return made;
}

static int take(struct point given, struct mixed also) { return given.x + also.tag; }

static void *work(void *arg)
{
    int sum = 0, late, way, other;
    struct point point, copy, array[3];
    struct mixed mixed;
    struct flags flags;
    union { char small; long large; } union_;
    point.x = half(1).x;
    copy = point;
    mixed.tag = 1;
    struct mixed second = mixed;
    flags.high = 3;
    array[1] = copy;
    struct point *again = malloc(2 * sizeof *again);
    memcpy(again, array, 2 * sizeof *again);
    sum += take(again[1], second);
    sum += flags.high;

    for (int i = 0; i < 4; i++) {
        int odd = i % 2;
        if (odd) late = i;
        int *place = &sum;
        if (odd) *place += late;
    }
    sum += copy.x;
    again[0].y = 1;

    union_.small = 1;
    sum += union_.small;

    switch (sum & 1) {
    case 0: way = 1; break;
    case 1: way = 2; break;
    default: abort();
    }
    if (sum < 0) goto out;
    if (sum > 1000) other = way;
    sum += way;
out:
    free(again);
    return sum ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
