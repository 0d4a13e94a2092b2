// Functions of string.h and strings.h about bytes: searching and copying, one byte at a time.
#include "own.h"

typedef unsigned char byte;

void *memchr(const void *memory, int value, size_t count) {
  for (const byte *at = memory; count > 0; at++, count--)
    if (*at == (byte)value)
      return (void *)at;
  return NULL;
}

void *memrchr(const void *memory, int value, size_t count) {
  for (const byte *start = memory; count > 0; count--)
    if (start[count - 1] == (byte)value)
      return (void *)(start + count - 1);
  return NULL;
}

void *rawmemchr(const void *memory, int value) {
  const byte *at = memory;
  while (*at != (byte)value)
    at++;
  return (void *)at;
}

void *memmem(const void *memory, size_t count, const void *wanted, size_t length) {
  for (const byte *at = memory; count >= length; at++, count--)
    if (memcmp(at, wanted, length) == 0)
      return (void *)at;
  return NULL;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t count) {
  return (byte *)memcpy(to, from, count) + count;
}

void *memccpy(void *restrict to, const void *restrict from, int last, size_t count) {
  byte *target = to;
  for (const byte *source = from; count > 0; count--) {
    byte value = *source++;
    *target++ = value;
    if (value == (byte)last)
      return target;
  }
  return NULL;
}

void bzero(void *memory, size_t count) { memset(memory, 0, count); }

void explicit_bzero(void *memory, size_t count) { memset(memory, 0, count); }

void bcopy(const void *from, void *to, size_t count) { memmove(to, from, count); }

void swab(const void *restrict from, void *restrict to, long count) {
  const byte *source = from;
  byte *target = to;
  for (; count > 1; count -= 2, source += 2, target += 2) {
    byte first = source[0];
    target[0] = source[1];
    target[1] = first;
  }
}

int ffs(int value) { return value ? __builtin_ctz(value) + 1 : 0; }

int ffsl(long value) { return value ? __builtin_ctzl(value) + 1 : 0; }

int ffsll(long long value) { return value ? __builtin_ctzll(value) + 1 : 0; }
