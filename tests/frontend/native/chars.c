// Characters and small types in arrays: sorting, reversing, counting.
#include <stdio.h>
#include <string.h>

static void show(const char *s) { while (*s) putchar(*s++); putchar('\n'); }
static void sort(char *s) {
    for (size_t i = 0; s[i]; i++)
        for (size_t k = i + 1; s[k]; k++)
            if (s[k] < s[i]) { char t = s[i]; s[i] = s[k]; s[k] = t; }
}

int main(void) {
    char word[] = "concurrency";
    unsigned short counts[26] = {0};
    for (char *p = word; *p; p++) counts[*p - 'a']++;
    sort(word);
    show(word);
    printf("%d %d\n", counts['c' - 'a'], counts['z' - 'a']);
    for (int i = 0, k = (int)strlen(word) - 1; i < k; i++, k--) {
        char t = word[i];
        word[i] = word[k];
        word[k] = t;
    }
    show(word);
    short many[3][2] = {{1, -2}, {3, -4}, {5, -6}};
    int total = 0;
    for (int i = 0; i < 3; i++) for (int k = 0; k < 2; k++) total = total * 3 + many[i][k];
    printf("%d\n", total);
    return 0;
}
