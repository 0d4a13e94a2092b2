// Exceptions where the program has no handlers: each ends the run where it is thrown. Otherwise exceptions.cpp counts.

#include <system_error>

// Ends the run with a finding that names the exception and what it says.
extern "C" [[noreturn]] void __mazurka_throw(const char* type, const char* what);

[[noreturn]] void std::__throw_system_error(int, const char* what) { __mazurka_throw("std::system_error", what); }

// std::exception_ptr. There is no current exception; a pointer that was made is not freed.
extern "C" void __cxa_increment_exception_refcount(void*) noexcept {}
extern "C" void __cxa_decrement_exception_refcount(void*) noexcept {}
extern "C" void* __cxa_current_primary_exception() noexcept { return nullptr; }
extern "C" void* __cxa_init_primary_exception(void* object, void*, void (*)(void*)) noexcept { return object; }
extern "C" void __cxa_rethrow_primary_exception(void* object) {
  if (object)
    __mazurka_throw("the exception of a std::exception_ptr", "");
}
namespace std {
bool uncaught_exception() noexcept { return false; }
int uncaught_exceptions() noexcept { return 0; }
}

// Exceptions of the standard library, thrown by functions that are not inline.
extern "C" [[noreturn]] void __cxa_bad_cast() { __mazurka_throw("std::bad_cast", ""); }
extern "C" [[noreturn]] void __cxa_bad_typeid() { __mazurka_throw("std::bad_typeid", ""); }
extern "C" [[noreturn]] void __cxa_throw_bad_array_new_length() { __mazurka_throw("std::bad_array_new_length", ""); }
