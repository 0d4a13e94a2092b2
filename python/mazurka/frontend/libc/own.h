// The functions that these sources use themselves. The system's headers would rename some of the definitions,
// and hide others behind macros.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
int memcmp(const void *, const void *, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
char *strchr(const char *, int);
int strcmp(const char *, const char *);
char *strcpy(char *, const char *);
size_t strlen(const char *);
int strncmp(const char *, const char *, size_t);
size_t strnlen(const char *, size_t);
int printf(const char *, ...);
