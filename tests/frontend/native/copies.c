// memcpy, memmove and memset with constant and variable lengths, overlapping too.
#include <stdio.h>
#include <string.h>

int source[40], target[40];
volatile int length = 40;

static void show(const int *a, int n) { for (int i = 0; i < n; i++) printf("%d ", a[i]); printf("\n"); }

int main(void) {
    for (int i = 0; i < 40; i++) source[i] = i * 3;
    memcpy(target, source, sizeof target);
    show(target + 36, 4);
    memset(target, 0xff, length * sizeof(int) / 2);
    show(target + 18, 4);
    memcpy(target + 3, source + 7, (length - 35) * sizeof(int));
    show(target, 9);
    memmove(source + 2, source, 10 * sizeof(int));
    show(source, 13);
    memmove(source, source + 4, (length - 30) * sizeof(int));
    show(source, 11);
    memmove(source + 1, source, (length - 33) * sizeof(int));
    show(source, 9);
    char text[16] = "0123456789";
    memmove(text + 3, text, length - 33);
    for (char *p = text; *p; p++) putchar(*p);
    putchar('\n');
    int small[3] = {1, 2, 3}, copy[3];
    memcpy(copy, small, sizeof copy);
    memset(small, 0, sizeof small);
    printf("%d %d %d %d\n", copy[0], copy[1], copy[2], small[1]);
    return 0;
}
