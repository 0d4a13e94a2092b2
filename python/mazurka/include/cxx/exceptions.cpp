// Exceptions that are caught: what the Itanium C++ ABI calls level II, for checking. A throw returns from function to
// function until a landing pad takes it, which frontend/cpp/unwinding.py arranges; this is what happens at both ends.
//
// I1: what a thread knows about its exceptions is in thread-locals whose addresses it keeps, so none of it is an event.
// I2: an exception that no handler of the thread catches is reported where it is thrown, before anything is unwound.
// I3: references to an exception are counted only if a std::exception_ptr refers to it and its destructor may do
// something that the program notices. Otherwise it is kept: in which order threads give their references up would make
// many executions that differ in nothing else. A search for leaks (MAZURKA_LEAKS) counts always.

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

#include "exception_types.h"

extern "C" {
void* __mazurka_new(size_t size);
// Ends the run with a finding that names the type.
[[noreturn]] void __mazurka_uncaught(void* object, const void* type, void (*destroy)(void*));
void __mazurka_unwind();                      // returns to the nearest landing pad: written by unwinding.py
void __mazurka_too_many_nested_exceptions();  // refused by name: it is not defined

// By number, from 1 on: the types that handlers catch. Null is for catch (...). Both are made by unwinding.py.
extern const Type* const __mazurka_caught_types[];
extern const unsigned __mazurka_caught_type_count;
// A bit for each of them: whether a handler of this thread that is open now catches that type.
extern __thread unsigned long __mazurka_open_handlers[];
__attribute__((used)) __thread int __mazurka_unwinding;  // whether functions return because of an exception
}

namespace {

// Before the object. Written when the first std::exception_ptr refers to it.
struct Header {
  const Type* type;
  void (*destroy)(void*);
  long is_counted;
  long references; // compilers expect 32 bytes in front of the object
};

// An exception that was thrown in this thread, from then to the end of its last handler.
struct Exception {
  char* object; // null: unused
  const Type* type;
  void (*destroy)(void*);
  void* adjusted;       // the object as the type that the handler catches
  int handlers;         // that have begun and not ended; negative after a rethrow
  bool is_shared;       // with exception_ptrs
  unsigned char caught; // what was caught before it, plus 1
  unsigned char thrown; // what was thrown before it, plus 1
};

constexpr unsigned most = 16;
__thread Exception exceptions[most];
__thread unsigned char caught, thrown; // the last one that a handler has, and the last one that none has yet; plus 1

#ifdef MAZURKA_LEAKS
bool is_counted(const Type*, void (*)(void*)) { return true; }
#else
bool is_counted(const Type* type, void (*destroy)(void*)) {
  const char* name = type->name + (type->name[0] == 'N');
  return destroy && !(name[0] == 'S' && name[1] == 't'); // those of the library only free memory
}
#endif

inline Header* header(char* object) { return reinterpret_cast<Header*>(object) - 1; }

} // namespace

// Whether a handler that is open in this thread catches a type. The object does not matter for that. Those around the
// call of this function count (unwinding.py), so it must not be inlined, and may throw as far as the compiler knows.
extern "C" bool __mazurka_is_caught(const Type* type) {
  constexpr unsigned bits_per_word = 8 * sizeof __mazurka_open_handlers[0];
  for (unsigned at = 0; at < __mazurka_caught_type_count; at++)
    if (__mazurka_open_handlers[at / bits_per_word] >> at % bits_per_word & 1) {
      void* adjusted;
      if (matches(__mazurka_caught_types[at], type, nullptr, &adjusted))
        return true;
    }
  return false;
}

namespace {

unsigned remember(char* object, const Type* type, void (*destroy)(void*)) {
  unsigned at = 0;
  while (at < most && exceptions[at].object)
    at++;
  if (at == most)
    __mazurka_too_many_nested_exceptions();
  exceptions[at].object = object;
  exceptions[at].type = type;
  exceptions[at].destroy = destroy;
  exceptions[at].handlers = 0;
  exceptions[at].is_shared = false;
  return at;
}

void unwind(unsigned at) {
  exceptions[at].thrown = thrown;
  thrown = at + 1;
  __mazurka_unwind();
}

void destroy(char* object, void (*destroy)(void*)) {
  if (destroy)
    destroy(object);
  free(header(object));
}

void unrefer(char* object) {
  if (header(object)->is_counted && __atomic_fetch_sub(&header(object)->references, 1, __ATOMIC_ACQ_REL) == 1)
    destroy(object, header(object)->destroy);
}

} // namespace

// Of unwinding.py: the start of a landing pad, and its clauses one by one. The latter return the number of the type
// that is caught, which is the one found before if there is one.
extern "C" __attribute__((used)) void* __mazurka_land() {
  __mazurka_unwinding = 0;
  return header(exceptions[thrown - 1].object);
}

extern "C" __attribute__((used)) int __mazurka_match(int found, int number) {
  if (found)
    return found;
  unsigned at = thrown - 1;
  void* adjusted;
  if (!matches(__mazurka_caught_types[number - 1], exceptions[at].type, exceptions[at].object, &adjusted))
    return 0;
  exceptions[at].adjusted = adjusted;
  return number;
}

// Of the ABI.
extern "C" void* __cxa_allocate_exception(size_t size) noexcept {
  return static_cast<Header*>(__mazurka_new(sizeof(Header) + size)) + 1;
}

extern "C" void __cxa_free_exception(void* object) noexcept { free(static_cast<Header*>(object) - 1); }

extern "C" void __cxa_throw(void* object, const Type* type, void (*destroy)(void*)) {
  if (!__mazurka_is_caught(type))
    __mazurka_uncaught(object, type, destroy);
  unwind(remember(static_cast<char*>(object), type, destroy));
}

extern "C" void __cxa_rethrow() {
  if (!caught)
    std::terminate();
  unsigned at = caught - 1;
  if (!__mazurka_is_caught(exceptions[at].type))
    __mazurka_uncaught(exceptions[at].object, exceptions[at].type, exceptions[at].destroy);
  exceptions[at].handlers = -exceptions[at].handlers;
  unwind(at);
}

extern "C" void* __cxa_get_exception_ptr(void*) noexcept { return exceptions[thrown - 1].adjusted; }

extern "C" void* __cxa_begin_catch(void*) noexcept {
  unsigned at = thrown - 1;
  thrown = exceptions[at].thrown;
  int handlers = exceptions[at].handlers;
  exceptions[at].handlers = (handlers < 0 ? -handlers : handlers) + 1;
  if (caught != at + 1) { // otherwise it was thrown again, and the handler that did so has not ended yet
    exceptions[at].caught = caught;
    caught = at + 1;
  }
  return exceptions[at].adjusted;
}

extern "C" void __cxa_end_catch() {
  if (!caught)
    return;
  unsigned at = caught - 1;
  bool was_thrown_again = exceptions[at].handlers < 0;
  exceptions[at].handlers += was_thrown_again ? 1 : -1;
  if (exceptions[at].handlers)
    return;
  caught = exceptions[at].caught;
  if (was_thrown_again)
    return;
  char* object = exceptions[at].object;
  exceptions[at].object = nullptr;
  if (exceptions[at].is_shared)
    unrefer(object);
  else
    destroy(object, exceptions[at].destroy);
}

// Of std::exception_ptr.
extern "C" void __cxa_increment_exception_refcount(void* object) noexcept {
  if (object && header(static_cast<char*>(object))->is_counted)
    __atomic_fetch_add(&header(static_cast<char*>(object))->references, 1, __ATOMIC_RELAXED);
}

extern "C" void __cxa_decrement_exception_refcount(void* object) noexcept {
  if (object)
    unrefer(static_cast<char*>(object));
}

// libc++'s headers declare it with other types.
extern "C" void* __mazurka_init(void*, const Type*, void (*)(void*)) noexcept asm("__cxa_init_primary_exception");
extern "C" void* __mazurka_init(void* object, const Type* type, void (*destroy)(void*)) noexcept {
  Header* its = static_cast<Header*>(object) - 1;
  its->type = type;
  its->destroy = destroy;
  its->is_counted = is_counted(type, destroy);
  __atomic_store_n(&its->references, 0, __ATOMIC_RELAXED);
  return its;
}

extern "C" void* __cxa_current_primary_exception() noexcept {
  if (!caught)
    return nullptr;
  unsigned at = caught - 1;
  if (!exceptions[at].is_shared) {
    __mazurka_init(exceptions[at].object, exceptions[at].type, exceptions[at].destroy);
    __cxa_increment_exception_refcount(exceptions[at].object);
    exceptions[at].is_shared = true;
  }
  __cxa_increment_exception_refcount(exceptions[at].object);
  return exceptions[at].object;
}

extern "C" void __cxa_rethrow_primary_exception(void* object) {
  if (!object)
    return;
  Header* its = static_cast<Header*>(object) - 1;
  if (!__mazurka_is_caught(its->type))
    __mazurka_uncaught(object, its->type, its->destroy);
  __cxa_increment_exception_refcount(object);
  unsigned at = remember(static_cast<char*>(object), its->type, its->destroy);
  exceptions[at].is_shared = true;
  unwind(at);
}

namespace std {
int uncaught_exceptions() noexcept {
  int count = 0;
  for (unsigned at = thrown; at; at = exceptions[at - 1].thrown)
    count++;
  return count;
}
bool uncaught_exception() noexcept { return thrown; }
} // namespace std

// What the compiler throws.
extern "C" void __cxa_bad_cast() { throw std::bad_cast(); }
extern "C" void __cxa_bad_typeid() { throw std::bad_typeid(); }
extern "C" void __cxa_throw_bad_array_new_length() { throw std::bad_array_new_length(); }
