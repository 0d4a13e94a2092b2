// A bound on loops does not cut those of the library, whose loops end by themselves.
// mazurka: --unroll 1
// expect[sc,rc11]: verified complete=1 blocked=0
// twin[sc] `qsort(list, 4,` -> `own_sort(list, 4,`: bounded
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int list[4] = {5, 3, 9, 1};
static char text[20];

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

__attribute__((unused)) static void own_sort(int *base, size_t count, size_t size, int order(const void *, const void *)) {
    for (int *at = base; at < base + count; at += size / sizeof *at)
        for (int *before = at; before > base && order(before - 1, before) > 0; before--) {
            int kept = *before;
            *before = before[-1];
            before[-1] = kept;
        }
}

static void *work(void *nothing) {
    qsort(list, 4, sizeof *list, compare);
    snprintf(text, sizeof text, "%d and %s", 12345, "so on");
    return nothing;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    pthread_join(other, NULL);
    assert(list[0] == 1 && list[1] == 3 && list[2] == 5 && list[3] == 9);
    assert(strcmp(text, "12345 and so on") == 0);
}
