// The forms of new that throw, where exceptions are caught and the program has no operators of its own. Otherwise the
// front-end knows them (frontend/library/languages/cxx.py).
//
// I1: with --malloc-may-fail, new fails only where a handler of its thread catches that: a program that does not care
// would otherwise have a finding at each new.

#include <new>
#include <typeinfo>

// Null only if so many bytes never fit into memory.
extern "C" void* __mazurka_new_object(std::size_t size) noexcept;
extern "C" void* __mazurka_new_array(std::size_t size) noexcept;

#ifdef MAZURKA_MAY_FAIL
extern "C" bool __mazurka_is_caught(const std::type_info* type); // of exceptions.cpp
#define MAZURKA_BLOCK(form, known) __mazurka_is_caught(&typeid(std::bad_alloc)) ? form(size, std::nothrow) : known(size)
#else
#define MAZURKA_BLOCK(form, known) known(size)
#endif

namespace {
void make_room() {
  std::new_handler handler = std::get_new_handler();
  if (!handler)
    throw std::bad_alloc();
  handler();
}
} // namespace

void* operator new(std::size_t size) {
  for (;;) {
    if (void* block = MAZURKA_BLOCK(operator new, __mazurka_new_object))
      return block;
    make_room();
  }
}

void* operator new[](std::size_t size) {
  for (;;) {
    if (void* block = MAZURKA_BLOCK(operator new[], __mazurka_new_array))
      return block;
    make_room();
  }
}
