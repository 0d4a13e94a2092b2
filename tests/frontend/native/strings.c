// String functions and string literals.
#include <stdio.h>
#include <string.h>

static void show(const char *s) { while (*s) putchar(*s++); putchar('|'); }
static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
    char buffer[32] = "hello", other[32];
    printf("%zu %d %d %d\n", strlen(buffer), sign(strcmp(buffer, "help")), sign(strcmp("b", "a")), strcmp("x", "x"));
    strcpy(other, buffer);
    strcat(other, " world");
    show(other);
    printf("%zu\n", strlen(other));
    printf("%d %d\n", strncmp(other, buffer, 5), sign(strncmp(other, buffer, 6)));
    memset(buffer, '-', 8);
    strncpy(buffer, "abc", 5);
    show(buffer);
    printf("%c%c\n", buffer[5], buffer[7]);
    show(strchr(other, 'w'));
    printf("%d\n", strchr(other, 'q') == NULL);
    printf("%d %d\n", sign(memcmp("abc", "abd", 3)), memcmp("abc", "abd", 2));
    const char *words[] = {"one", "two", "three"};
    for (int i = 0; i < 3; i++) printf("%s(%zu) ", words[i], strlen(words[i]));
    printf("%.3s|%5s|%-5s|\n", "abcdef", "ab", "cd");
    return 0;
}
