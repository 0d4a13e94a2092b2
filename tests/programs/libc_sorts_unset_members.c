// Sorting moves whole elements, also the padding and the members that nobody has set.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=1
// twin[sc,rc11] `assert(all[0].key == 1);` -> `assert(all[0].key == 3);`: violation=assertion line=36
#include <assert.h>
#include <stdlib.h>

struct element { char key; double weight; char name[5]; };

static int compare(const void *a, const void *b)
{
    const struct element *first = a, *second = b;
    return first->key - second->key;
}

static void exchange(void *a, void *b, size_t size)
{
    char *first = a, *second = b;
    while (size--) {
        char kept = *first;
        *first++ = *second;
        *second++ = kept;
    }
}

int main(void)
{
    struct element all[3];
    struct element *more = malloc(2 * sizeof *more);
    for (int i = 0; i < 3; i++)
        all[i].key = 3 - i;
    more[0].key = 2;
    more[1].key = 1;
    qsort(all, 3, sizeof *all, compare);
    qsort(more, 2, sizeof *more, compare);
    exchange(&all[2], &more[0], sizeof *more);
    assert(all[0].key == 1);
    assert(all[2].key == 1 && more[0].key == 3);
    free(more);
    return 0;
}
