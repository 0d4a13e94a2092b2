// Functions that the program installs for special cases, instead of libc++abi's, which call some of them.
//
// I1: that of set_terminate is never called: where std::terminate would call it, a finding ends the run.

#include <exception>
#include <new>

namespace {
std::terminate_handler terminating;
std::new_handler without_room; // called by allocation.cpp
} // namespace

namespace std {
terminate_handler set_terminate(terminate_handler handler) noexcept {
  return __atomic_exchange_n(&terminating, handler, __ATOMIC_ACQ_REL);
}
terminate_handler get_terminate() noexcept { return __atomic_load_n(&terminating, __ATOMIC_ACQUIRE); }
new_handler set_new_handler(new_handler handler) noexcept {
  return __atomic_exchange_n(&without_room, handler, __ATOMIC_ACQ_REL);
}
new_handler get_new_handler() noexcept { return __atomic_load_n(&without_room, __ATOMIC_ACQUIRE); }
} // namespace std
