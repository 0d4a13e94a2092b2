// What libc++'s headers declare and its sources define, where a simpler definition serves checking better.
// It is compiled like libc++'s own sources, and linked in preference to them.

#include <atomic>
#include <cstddef>

namespace std {
inline namespace __1 {

// Waiting is a loop that reads until it may go on, so there is nobody to wake.
void __atomic_notify_one_global_table(void const*) noexcept {}
void __atomic_notify_all_global_table(void const*) noexcept {}
template <size_t _Size>
void __atomic_notify_one_native(const void*) noexcept {}
template <size_t _Size>
void __atomic_notify_all_native(const void*) noexcept {}
template void __atomic_notify_one_native<1>(const void*) noexcept;
template void __atomic_notify_one_native<2>(const void*) noexcept;
template void __atomic_notify_one_native<4>(const void*) noexcept;
template void __atomic_notify_one_native<8>(const void*) noexcept;
template void __atomic_notify_all_native<1>(const void*) noexcept;
template void __atomic_notify_all_native<2>(const void*) noexcept;
template void __atomic_notify_all_native<4>(const void*) noexcept;
template void __atomic_notify_all_native<8>(const void*) noexcept;

} // namespace __1
} // namespace std

// Initialisation of static variables inside functions. The compiler reads the first byte of the guard itself, and
// calls these only if it is 0. The second byte says that some thread is initialising the variable, which an exception takes back.
extern "C" int __cxa_guard_acquire(unsigned char* guard) {
  for (;;) {
    if (__atomic_load_n(&guard[0], __ATOMIC_ACQUIRE))
      return 0;
    unsigned char expected = 0;
    if (__atomic_compare_exchange_n(&guard[1], &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return 1;
  }
}

extern "C" void __cxa_guard_release(unsigned char* guard) { __atomic_store_n(&guard[0], 1, __ATOMIC_RELEASE); }
extern "C" void __cxa_guard_abort(unsigned char* guard) { __atomic_store_n(&guard[1], 0, __ATOMIC_RELEASE); }

// What libc++ uses to find a number in an array.
extern "C" const wchar_t* __mazurka_wmemchr(const wchar_t*, wchar_t, size_t) asm("wmemchr");
extern "C" const wchar_t* __mazurka_wmemchr(const wchar_t* first, wchar_t wanted, size_t count) {
  for (; count > 0; count--, first++)
    if (*first == wanted)
      return first;
  return nullptr;
}

// What std::system_error says.
extern "C" char* strerror(int) noexcept;
extern "C" char* strerror_r(int error, char*, size_t) noexcept { return strerror(error); }
