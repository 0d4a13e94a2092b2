// Functions of string.h and strings.h about strings, one byte at a time. The locale is "C".
#include "own.h"
#include <errno.h>

typedef unsigned char byte;

char *stpcpy(char *restrict to, const char *restrict from) {
  while ((*to = *from++))
    to++;
  return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t count) {
  size_t length = strnlen(from, count);
  memcpy(to, from, length);
  memset(to + length, 0, count - length);
  return to + length;
}

char *strncat(char *restrict to, const char *restrict from, size_t count) {
  char *end = to + strlen(to);
  for (; count > 0; count--, end++) {
    char value = *from++;
    if (!value)
      break;
    *end = value;
  }
  *end = 0;
  return to;
}

size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) {
    size_t copied = length < size ? length : size - 1;
    memcpy(to, from, copied);
    to[copied] = 0;
  }
  return length;
}

size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
  size_t length = strnlen(to, size);
  return length + strlcpy(to + length, from, size - length);
}

char *strndup(const char *text, size_t most) {
  size_t length = strnlen(text, most);
  char *copy = malloc(length + 1);
  if (copy) {
    memcpy(copy, text, length);
    copy[length] = 0;
  }
  return copy;
}

char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

char *strrchr(const char *text, int wanted) {
  const char *found = NULL;
  for (;; text++) {
    char value = *text;
    if (value == (char)wanted)
      found = text;
    if (!value)
      return (char *)found;
  }
}

char *strchrnul(const char *text, int wanted) {
  for (;; text++) {
    char value = *text;
    if (!value || value == (char)wanted)
      return (char *)text;
  }
}

char *index(const char *text, int wanted) { return strchr(text, wanted); }

char *rindex(const char *text, int wanted) { return strrchr(text, wanted); }

static int is_one_of(char value, const char *set) {
  for (; *set; set++)
    if (*set == value)
      return 1;
  return 0;
}

size_t strspn(const char *text, const char *set) {
  for (size_t length = 0;; length++) {
    char value = text[length];
    if (!value || !is_one_of(value, set))
      return length;
  }
}

size_t strcspn(const char *text, const char *set) {
  for (size_t length = 0;; length++) {
    char value = text[length];
    if (!value || is_one_of(value, set))
      return length;
  }
}

char *strpbrk(const char *text, const char *set) {
  text += strcspn(text, set);
  return *text ? (char *)text : NULL;
}

char *strstr(const char *text, const char *wanted) {
  size_t length = strlen(wanted);
  for (;; text++) {
    if (strncmp(text, wanted, length) == 0)
      return (char *)text;
    if (!*text)
      return NULL;
  }
}

static int lower(char value) {
  byte code = value;
  return code >= 'A' && code <= 'Z' ? code + ('a' - 'A') : code;
}

int strncasecmp(const char *first, const char *second, size_t count) {
  for (; count > 0; first++, second++, count--) {
    int left = lower(*first), right = lower(*second);
    if (left != right)
      return left - right;
    if (!left)
      break;
  }
  return 0;
}

int strcasecmp(const char *first, const char *second) { return strncasecmp(first, second, (size_t)-1); }

char *strcasestr(const char *text, const char *wanted) {
  size_t length = strlen(wanted);
  for (;; text++) {
    if (strncasecmp(text, wanted, length) == 0)
      return (char *)text;
    if (!*text)
      return NULL;
  }
}

char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest) {
  char *start = text ? text : *rest;
  if (!start)
    return NULL;
  start += strspn(start, separators);
  char *end = start + strcspn(start, separators);
  if (!*end)
    *rest = end;
  else {
    *end = 0;
    *rest = end + 1;
  }
  return start == end ? NULL : start;
}

// Threads share it, as the standard says: two of them that call strtok have a race.
static char *rest_of_strtok;

char *strtok(char *restrict text, const char *restrict separators) {
  return strtok_r(text, separators, &rest_of_strtok);
}

char *strsep(char **restrict rest, const char *restrict separators) {
  char *start = *rest;
  if (!start)
    return NULL;
  char *end = start + strcspn(start, separators);
  if (*end) {
    *end = 0;
    *rest = end + 1;
  } else
    *rest = NULL;
  return start;
}

int strcoll(const char *first, const char *second) { return strcmp(first, second); }

size_t strxfrm(char *restrict to, const char *restrict from, size_t size) {
  size_t length = strlen(from);
  if (length < size)
    strcpy(to, from);
  else if (size > 0)
    memcpy(to, from, size);
  return length;
}

// The errors that functions of the library report here; the text of others is not fixed by any standard.
char *strerror(int error) {
  switch (error) {
  case 0: return "Success";
  case EPERM: return "Operation not permitted";
  case EINTR: return "Interrupted system call";
  case EAGAIN: return "Resource temporarily unavailable";
  case ENOMEM: return "Cannot allocate memory";
  case EBUSY: return "Device or resource busy";
  case EINVAL: return "Invalid argument";
  case EDOM: return "Numerical argument out of domain";
  case ERANGE: return "Numerical result out of range";
  case EDEADLK: return "Resource deadlock avoided";
  case EOVERFLOW: return "Value too large for defined data type";
  case ETIMEDOUT: return "Connection timed out";
  default: return "Another error";
  }
}
