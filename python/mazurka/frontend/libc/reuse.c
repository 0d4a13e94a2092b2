// malloc and free under --reuse-memory, where freed memory may be given out again.
//
// A call of free chooses whether the block is kept. One that is not kept is gone for good, so that accesses to it are
// found. Up to KEPT blocks wait at the same time. A call of malloc may take any that waits and has the same size, and
// is then synchronised with the call of free, as C says (C11 7.22.3); it may also take new memory.
#include "own.h"

#define KEPT 2

size_t __mazurka_size(void *block);
// Choices, each of which is explored.
int __mazurka_reuses(void);
int __mazurka_keeps(void);

static void *freed_blocks[KEPT];

// A block of this size that waits, or NULL.
void *__mazurka_reused(size_t size) {
  for (int at = 0; at < KEPT; at++) {
    void *block = __atomic_load_n(&freed_blocks[at], __ATOMIC_RELAXED);
    if (block && __mazurka_size(block) == size && __mazurka_reuses() &&
        __atomic_compare_exchange_n(&freed_blocks[at], &block, NULL, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return block;
  }
  return NULL;
}

void *__mazurka_malloc(size_t size) {
  void *block = __mazurka_reused(size);
  return block ? block : malloc(size);
}

void __mazurka_free(void *block) {
  if (!block)
    return;
  int keep = __mazurka_keeps();
  for (int at = 0; keep && at < KEPT; at++) {
    void *empty = NULL;
    if (__atomic_compare_exchange_n(&freed_blocks[at], &empty, block, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      return;
  }
  free(block);
}
