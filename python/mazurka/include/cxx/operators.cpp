// The forms of new and delete that the library defines by others, for programs that replace one of those.
// Otherwise all of them are known to the front-end, which tells objects from arrays (frontend/library/languages/cxx.py).

#include <new>

void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return operator new[](size); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return operator new(size, alignment); }

void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { operator delete(block); }
void operator delete(void* block, std::size_t, std::align_val_t alignment) noexcept { operator delete(block, alignment); }

void operator delete[](void* block) noexcept { operator delete(block); }
void operator delete[](void* block, std::size_t) noexcept { operator delete[](block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { operator delete[](block); }
void operator delete[](void* block, std::align_val_t alignment) noexcept { operator delete(block, alignment); }
void operator delete[](void* block, std::size_t, std::align_val_t alignment) noexcept { operator delete[](block, alignment); }
