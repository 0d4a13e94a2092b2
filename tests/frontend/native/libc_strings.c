// Functions of string.h and strings.h that look at strings or change them.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static int sign(int value) { return (value > 0) - (value < 0); }
static void show(const char *what, const char *from, const char *at) { printf("%s %ld\n", what, at ? (long)(at - from) : -99); }
static void bytes(const char *what, const char *from, int count) {
  printf("%s", what);
  for (int i = 0; i < count; i++)
    printf(" %02x", from[i] & 255);
  printf("\n");
}

static const char *const words[] = {"", "a", "abc", "abcabd", "ABCabc", "xyzzy, hello", "\xff\x80z", "aaab", "hello"};
enum { WORDS = sizeof words / sizeof *words };

static void search(void) {
  for (int i = 0; i < WORDS; i++) {
    const char *s = words[i];
    printf("%zu %zu\n", strlen(s), strnlen(s, 3));
    for (int c = 0; c < 256; c += 33) {
      show("strchr", s, strchr(s, c)), show("strrchr", s, strrchr(s, c)), show("index", s, index(s, c));
      show("rindex", s, rindex(s, c)), show("strchrnul", s, strchrnul(s, c));
      show("memchr", s, memchr(s, c, strlen(s) + 1)), show("memrchr", s, memrchr(s, c, strlen(s)));
    }
    show("rawmemchr", s, rawmemchr(s, 0));
    for (int j = 0; j < WORDS; j++) {
      const char *t = words[j];
      show("strstr", s, strstr(s, t)), show("strcasestr", s, strcasestr(s, t)), show("strpbrk", s, strpbrk(s, t));
      show("memmem", s, memmem(s, strlen(s), t, strlen(t)));
      printf("%zu %zu\n", strspn(s, t), strcspn(s, t));
      printf("%d %d %d", sign(strcmp(s, t)), sign(strncmp(s, t, 3)), sign(strcasecmp(s, t)));
      printf(" %d %d %d\n", sign(strncasecmp(s, t, 4)), sign(strcoll(s, t)), sign(memcmp(s, t, 1)));
      printf("%d\n", bcmp(s, t, 1) != 0);
    }
  }
}

static void copy(void) {
  char to[40];
  for (int i = 0; i < WORDS; i++) {
    const char *s = words[i];
    memset(to, 'q', sizeof to);
    show("stpcpy", to, stpcpy(to, s)), bytes("=", to, 40);
    show("stpncpy", to, stpncpy(to, s, 5)), bytes("=", to, 40);
    strcpy(to, "ab"), strncat(to, s, 4), bytes("strncat", to, 40);
    strcpy(to, "ab"), strcat(to, s), bytes("strcat", to, 40);
    strncpy(to, s, 6), bytes("strncpy", to, 40);
    show("mempcpy", to, mempcpy(to, s, strlen(s))), bytes("=", to, 40);
    show("memccpy", to, memccpy(to, s, 'c', strlen(s) + 1)), bytes("=", to, 40);
    printf("%zu\n", strxfrm(to, s, sizeof to)), bytes("=", to, 40);
    char *twice = strdup(s), *part = strndup(s, 3);
    printf("%zu %zu %d\n", strlen(twice), strlen(part), strcmp(twice, s));
    free(twice), free(part);
  }
  memcpy(to, "0123456789", 11), memmove(to + 2, to, 6), bytes("memmove", to, 12);
  bcopy(to, to + 1, 5), bytes("bcopy", to, 12);
  swab(to, to + 20, 6), bytes("swab", to, 28);
  bzero(to + 1, 2), explicit_bzero(to + 4, 1), bytes("bzero", to, 12);
}

static void divide(void) {
  char text[] = ",,one, two ,three;;four", again[] = ",,one, two ,three;;four", third[] = "a,b,,c";
  char *rest, *next = third;
  for (char *at = strtok(text, ", "); at; at = strtok(NULL, ";"))
    printf("%ld %zu\n", (long)(at - text), strlen(at));
  for (char *at = strtok_r(again, ",", &rest); at; at = strtok_r(NULL, " ;", &rest))
    printf("%ld %zu\n", (long)(at - again), strlen(at));
  for (char *at; (at = strsep(&next, ","));)
    printf("%ld %zu\n", (long)(at - third), strlen(at));
}

int main(void) {
  search();
  copy();
  divide();
  for (int i = 0; i < 5; i++)
    printf("%d %d %d\n", ffs(i * 8), ffsl(i * 16L << 32), ffsll(i * 32LL << 40));
  const int errors[] = {0, 1, 4, 11, 12, 16, 22, 33, 34, 35, 75, 110};
  for (int i = 0; i < 12; i++)
    printf("%zu %c\n", strlen(strerror(errors[i])), strerror(errors[i])[3]);
}
