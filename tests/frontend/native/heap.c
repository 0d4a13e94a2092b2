// The heap: lists, realloc up and down, calloc, aligned allocations.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *list, int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = list;
    return n;
}

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 5; i++) list = push(list, i * i);
    while (list) { struct node *n = list; printf("%d ", n->value); list = n->next; free(n); }
    int *numbers = NULL, capacity = 0;
    for (int i = 0; i < 10; i++) {
        if (i == capacity) numbers = realloc(numbers, (capacity = capacity * 2 + 1) * sizeof *numbers);
        numbers[i] = i * 7;
    }
    numbers = realloc(numbers, 4 * sizeof *numbers);
    printf("%d %d %d\n", numbers[0], numbers[3], capacity);
    free(numbers);
    long *zeros = calloc(4, sizeof *zeros);
    printf("%ld %ld\n", zeros[0], zeros[3]);
    free(zeros);
    char *page = aligned_alloc(64, 128);
    void *other = NULL;
    int failed = posix_memalign(&other, 32, 10);
    printf("%d %d %d\n", (int)((uintptr_t)page % 64), (int)((uintptr_t)other % 32), failed);
    free(page);
    free(other);
    free(NULL);
    return 0;
}
