// new and delete of C++ under --reuse-memory, for objects and arrays. A program may have its own.
#include "own.h"

void *__mazurka_malloc(size_t size);
void __mazurka_free(void *block);

void *_Znwm(size_t size) { return __mazurka_malloc(size); }

void *_Znam(size_t size) { return __mazurka_malloc(size); }

void _ZdlPv(void *block) { __mazurka_free(block); }

void _ZdaPv(void *block) { __mazurka_free(block); }

void _ZdlPvm(void *block, size_t size) { __mazurka_free(block); }

void _ZdaPvm(void *block, size_t size) { __mazurka_free(block); }
