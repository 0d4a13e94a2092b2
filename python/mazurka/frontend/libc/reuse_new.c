// new and delete of C++ under --reuse-memory, for objects and arrays. A program may have its own.
#include "own.h"

void *__mazurka_reused(size_t size);
void *__mazurka_new(size_t size); // fails only where there is no room
void __mazurka_free(void *block);

void *_Znwm(size_t size) {
  void *block = __mazurka_reused(size);
  return block ? block : __mazurka_new(size);
}

void *_Znam(size_t size) { return _Znwm(size); }

void _ZdlPv(void *block) { __mazurka_free(block); }

void _ZdaPv(void *block) { __mazurka_free(block); }

void _ZdlPvm(void *block, size_t size) { __mazurka_free(block); }

void _ZdaPvm(void *block, size_t size) { __mazurka_free(block); }
