// A ring buffer and a hash table, the way checked programs write them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 4
struct ring { unsigned head, tail; struct item { int key; const char *text; } slots[SIZE]; } ring;

static int put(struct ring *r, int key, const char *text) {
    if (r->tail - r->head == SIZE) return 0;
    r->slots[r->tail++ % SIZE] = (struct item){key, text};
    return 1;
}
static int get(struct ring *r, struct item *out) {
    if (r->head == r->tail) return 0;
    *out = r->slots[r->head++ % SIZE];
    return 1;
}
static int table[8];
static void insert(int key) {
    unsigned h = (unsigned)key * 2654435761u >> 29;
    while (table[h]) h = (h + 1) % 8;
    table[h] = key;
}

int main(void) {
    for (int i = 0; i < 6; i++) printf("%d", put(&ring, i, i % 2 ? "odd" : "even"));
    struct item it;
    while (get(&ring, &it)) printf(" %d=%s", it.key, it.text);
    put(&ring, 9, "nine");
    printf(" %d\n", get(&ring, &it) ? it.key : -1);
    for (int k = 1; k < 6; k++) insert(k * 11);
    for (int i = 0; i < 8; i++) printf("%d ", table[i]);
    printf("\n");
    return 0;
}
